//! Prints the table of ratios from criterion's stored results. Exit code 1 if a target is missed or a result is missing.

use std::process::ExitCode;
use toprope_benches::{Figure, ROWS, Target, evaluate};

fn main() -> ExitCode {
    let dir = std::env::args_os().nth(1).unwrap_or_else(|| "target/criterion".into());
    let mut good = true;
    println!("| what | figure | target | |");
    println!("|---|---|---|---|");
    for (what, figure, target) in ROWS {
        match evaluate(dir.as_ref(), *figure) {
            Ok(value) => {
                let unit = match figure {
                    Figure::TimeRatio(..) | Figure::SpeedRatio(..) => "×",
                    Figure::Micros(_) => "µs",
                    Figure::Seconds(_) => "s",
                };
                let (wanted, verdict) = match target {
                    None => (String::from("-"), ""),
                    Some(t) => {
                        let text = match t {
                            Target::AtMost(l) => format!("≤ {l}"),
                            Target::AtLeast(l) => format!("≥ {l}"),
                        };
                        good &= t.met(value);
                        (text, if t.met(value) { "met" } else { "MISSED" })
                    }
                };
                println!("| {what} | {value:.3} {unit} | {wanted} | {verdict} |");
            }
            Err(why) => {
                good = false;
                println!("| {what} | - | | not measured: {why} |");
            }
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
