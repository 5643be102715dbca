//! scratch
use std::io::Read;
fn main(){ let mut s=String::new(); std::io::stdin().read_to_string(&mut s).unwrap(); match toprope_toolchain::launch::rewrite(&s){Ok(r)=>print!("{}",r.text),Err(p)=>{for p in p{eprintln!("{p}")}std::process::exit(1)}} }
