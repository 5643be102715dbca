//! Shared pieces of the integration suites: see the modules.
