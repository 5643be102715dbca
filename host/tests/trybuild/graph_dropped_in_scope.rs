//! The graph may be running until the scope ends.
use toprope_host::{Graph, Result, Stream};

fn main() {}

fn f(stream: &Stream, graph: Graph<'_>) -> Result<()> {
    stream.scope(|s| {
        s.launch_graph(&graph)?;
        drop(graph);
        Ok(())
    })
}
