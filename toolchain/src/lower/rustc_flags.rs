// Included by `lower` and by the build script.
&[
    "-Copt-level=s",
    "-Cpanic=abort",
    "-Ccodegen-units=1",
    "-Cdebuginfo=0",
    "-Coverflow-checks=off",
    "-Cdebug-assertions=off",
    "-Cno-vectorize-loops",
    "-Cno-vectorize-slp",
    "-Cjump-tables=no",
    "-Crelocation-model=static",
    "-Cllvm-args=-replexitval=never",
]
