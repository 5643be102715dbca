# Third file of the language. The compiler came with this folder; whether its host compiler works, `toprope doctor` says.
set(CMAKE_ASC_COMPILER_WORKS 1 CACHE INTERNAL "")
