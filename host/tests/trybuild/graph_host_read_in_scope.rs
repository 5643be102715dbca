//! The run may still be writing: the host sees the result when the scope has ended.
use toprope_host::{Graph, GraphHost, Result, Stream};

fn main() {}

fn f(stream: &Stream, graph: &mut Graph<'_>, result: &GraphHost<f32>) -> Result<f32> {
    stream.scope(|s| {
        s.launch_graph(graph)?;
        Ok(graph.host(result)?[0])
    })
}
