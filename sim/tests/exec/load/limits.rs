//! What moves of the cube core refuse, each with a twin that is accepted; the boundary of L1.

use super::*;

/// A case that is refused and the fault it gives.
fn refused(op: Op, x: [u64; 4], m: &Machine) -> String {
    m.decode(op, x).expect_err("refused").to_string()
}

#[test]
fn nd2nz_limits() {
    use FieldId::*;
    let m = Machine::new();
    let op = Op::Nd2nzF16;
    let words = |more: &[(FieldId, u64)]| {
        let defaults =
            [(NdNum, 1), (NValue, 2), (DValue, 20), (SrcDValue, 20), (DstC0Stride, 2), (DstNStride, 1)];
        let kept = defaults.iter().filter(|d| more.iter().all(|f| f.0 != d.0));
        config(Layout::Nd2Nz, &kept.chain(more).copied().collect::<Vec<_>>())
    };
    let x = |more: &[(FieldId, u64)]| {
        let w = words(more);
        [m.space(Space::L1, 0), m.gm(0), w[0], w[1]]
    };
    assert!(m.decode(op, x(&[])).is_ok());
    for (field, value, silent) in [
        (NValue, 16385, 16384),
        (DstC0Stride, 16385, 16384),
        (DstNStride, 16385, 16384),
        (DstMatrixStride, 16385, 16384),
    ] {
        let text = refused(op, x(&[(field, value)]), &m);
        assert!(
            text.contains("16385") && text.contains("0 to 16384") && text.contains(field.text()),
            "{text}"
        );
        assert!(m.decode(op, x(&[(field, silent)])).is_ok());
    }
    for field in [SrcDValue, DstC0Stride, DstNStride] {
        let text = refused(op, x(&[(field, 0)]), &m);
        assert!(text.contains("is 0, allowed is 1 to") && text.contains(field.text()), "{text}");
        assert!(m.decode(op, x(&[(field, 0), (NValue, 1), (DValue, 16)])).is_ok(), "one block has no stride");
    }
    let text = refused(op, x(&[(NdNum, 2), (DstMatrixStride, 17)]), &m);
    assert!(text.contains("is 17, it must be a multiple of 16"), "{text}");
    assert!(m.decode(op, x(&[(NdNum, 1), (DstMatrixStride, 17)])).is_ok(), "one matrix has no stride");
    assert!(m.decode(op, x(&[(NdNum, 2), (DstMatrixStride, 0)])).is_ok(), "documented: all on the first");
    let mut wrong = x(&[]);
    wrong[0] = m.ub(0);
    assert!(matches!(
        m.decode(op, wrong),
        Err(ExecFault::WrongSpace { operand: Operand::Dst, expected: Space::L1, found: Some(Space::Ub), .. })
    ));
}

#[test]
fn load2d_limits_and_alignment() {
    use FieldId::*;
    let m = Machine::new();
    let words =
        |transpose| config(Layout::Load2d, &[(RepeatTimes, 2), (SrcStride, 1), (IfTranspose, transpose)]);
    let x = |dst, src, transpose| [dst, src, words(transpose)[0], words(transpose)[1]];
    let (l0a, l1, gm) = (m.space(Space::L0a, 0), m.space(Space::L1, 0), m.gm(0));
    assert!(m.decode(Op::LoadL1ToL0a2dF16, x(l0a, l1, 1)).is_ok());
    for (op, src) in [(Op::LoadL1ToL0a2dS8, l1), (Op::LoadL1ToL0a2dF32, l1), (Op::LoadOutToL0a2dB16, gm)] {
        let text = refused(op, x(l0a, src, 1), &m);
        assert!(
            text.contains("transposition of each fractal (ifTranspose) is 1, allowed is 0 to 0"),
            "{text}"
        );
        assert!(m.decode(op, x(l0a, src, 0)).is_ok());
    }
    let d = m.decode(Op::LoadL1ToL0a2dF16, x(l0a, l1, 0)).expect("legal");
    assert_eq!(d.accesses().iter().map(|a| a.align_bytes).collect::<Vec<_>>(), [512, 32]);
    let d = m.decode(Op::LoadOutToL12dB16, x(l1, gm, 0)).expect("legal");
    assert_eq!(d.accesses().iter().map(|a| a.align_bytes).collect::<Vec<_>>(), [32, 1]);
    let sid = [l0a, l1, words(0)[0] | 1 << 40, 0];
    assert!(refused(Op::LoadL1ToL0a2dF16, sid, &m).contains("stream id"));
}

fn some_image() -> Image {
    Image {
        map: [4, 4],
        pads: [1; 4],
        channels: 32,
        filter: [3, 3],
        stride: [1; 2],
        dilation: [1; 2],
        start: [0; 2],
        extension: [16, 16],
        repeats: 1,
        along_k: false,
        repeat_stride: 0,
        transpose: false,
        right: false,
    }
}

#[test]
fn load3d_limits() {
    let mut m = Machine::new();
    let try_it = |m: &mut Machine, op: Op, i: &Image| {
        i.registers(m);
        let words = i.words();
        let l0 = if op == Op::LoadL1ToL0b3dF16 { Space::L0b } else { Space::L0a };
        m.decode(op, [m.space(l0, 0), m.space(Space::L1, 0), words[0], words[1]])
    };
    let good = some_image();
    assert!(try_it(&mut m, Op::LoadL1ToL0a3dF16, &good).is_ok());
    let cases: [(&str, Image); 9] = [
        (
            "first column of the tile (kStartPt) is 8, it must be a multiple of 16",
            Image { start: [0, 8], ..good.clone() },
        ),
        ("(kExtension) is 24, it must be a multiple of 16", Image { extension: [16, 24], ..good.clone() }),
        ("(mExtension) is 15, it must be a multiple of 16", Image { extension: [15, 16], ..good.clone() }),
        ("(channelSize) is 33, allowed is a whole number", Image { channels: 33, ..good.clone() }),
        ("(channelSize) is 2, allowed is a whole number", Image { channels: 2, ..good.clone() }),
        ("(filterH) is 7, allowed is at most what the padded", Image { filter: [7, 3], ..good.clone() }),
        ("(strideW) is 0, allowed is 1 to 63", Image { stride: [1, 0], ..good.clone() }),
        ("(l1W) is 32768, allowed is 1 to 32767", Image { map: [4, 32768], ..good.clone() }),
        ("(mStartPt) is 32768, allowed is 0 to 32767", Image { start: [32768, 0], ..good.clone() }),
    ];
    for (text, image) in cases {
        let fault = try_it(&mut m, Op::LoadL1ToL0a3dF16, &image).expect_err(text).to_string();
        assert!(fault.contains(text), "{fault} lacks {text}");
    }
    let turned = Image { transpose: true, extension: [16, 32], ..good.clone() };
    let fault = try_it(&mut m, Op::LoadL1ToL0a3dS8, &turned).expect_err("8 bits").to_string();
    assert!(fault.contains("(enTranspose) is 1, allowed is 0 to 0"), "{fault}");
    assert!(try_it(&mut m, Op::LoadL1ToL0a3dF16, &turned).is_ok());
    // The last rows and columns need no multiple.
    let covering = Image { extension: [15, 25], start: [1, 288 - 32], ..good.clone() };
    assert!(try_it(&mut m, Op::LoadL1ToL0a3dF16, &covering).is_err());
    let covering = Image { extension: [15, 31], start: [1, 288 - 32], ..good.clone() };
    assert!(try_it(&mut m, Op::LoadL1ToL0a3dF16, &Image { extension: [15, 32], ..covering }).is_ok());
    for nothing in [
        Image { map: [0, 4], ..good.clone() },
        Image { channels: 0, ..good.clone() },
        Image { extension: [0, 16], ..good.clone() },
        Image { filter: [0, 3], ..good.clone() },
        Image { repeats: 0, ..good.clone() },
    ] {
        let d = try_it(&mut m, Op::LoadL1ToL0a3dF16, &nothing).expect("does nothing");
        assert!(d.accesses().is_empty(), "{nothing:?}");
    }
    m.regs.set(Spr::L1Size3d, 1023);
    let fault = try_it(&mut m, Op::LoadL1ToL0a3dF16, &good).expect_err("boundary").to_string();
    assert!(fault.contains("boundary of L1 (boundaryValue) is 1023, allowed is 1024"), "{fault}");
}

/// Beyond the boundary reading goes on at the start of L1.
#[test]
fn load3d_wraps_at_the_boundary() {
    let mut m = Machine::new();
    let i = Image {
        map: [1, 64],
        pads: [0; 4],
        channels: 16,
        filter: [1; 2],
        extension: [64, 16],
        ..some_image()
    };
    i.registers(&mut m);
    m.regs.set(Spr::L1Size3d, 2048);
    Rng(5).fill(&mut m.space_bytes(Space::L1)[..4096], DType::U32);
    let words = i.words();
    let x = [m.space(Space::L0a, 0), m.space(Space::L1, 1024), words[0], words[1]];
    let d = m.run(Op::LoadL1ToL0a3dF16, x).expect("legal");
    let l1 = m.space_bytes(Space::L1)[..2048].to_vec();
    let want: Vec<u8> = l1[1024..].iter().chain(&l1[..1024]).copied().collect();
    assert!(m.space_bytes(Space::L0a)[..2048] == want);
    let base = m.space(Space::L1, 0);
    assert_eq!(touched(&d.accesses()[1], base), (0..2048).collect::<Vec<_>>());
}

#[test]
fn fills_tables_and_transposed_loads_know_their_memories_and_limits() {
    use FieldId::*;
    let m = Machine::new();
    let word = |fields: &[(FieldId, u64)]| config(Layout::Fill, fields)[0];
    for (field, ok) in [(RepeatTimes, 32767), (BlockNum, 32767), (DstGap, 32767)] {
        let x = |value| [m.space(Space::L0a, 0), word(&[(field, value)]), 0, 0];
        let text = refused(Op::CreateCaF16, x(32768), &m);
        assert!(text.contains("is 32768, allowed is 0 to 32767") && text.contains(field.text()), "{text}");
        assert!(m.decode(Op::CreateCaF16, x(ok)).is_ok());
    }
    let one = word(&[(RepeatTimes, 1), (BlockNum, 1)]);
    for (op, space, align) in [
        (Op::CreateCbufF16, Space::L1, 32),
        (Op::CreateCaF16, Space::L0a, 512),
        (Op::CreateCbF16, Space::L0b, 512),
    ] {
        let d = m.decode(op, [m.space(space, 0), one, 0, 0]).expect("legal");
        assert_eq!(d.accesses()[0].align_bytes, align);
        let elsewhere = m.decode(op, [m.ub(0), one, 0, 0]);
        assert!(matches!(elsewhere, Err(ExecFault::WrongSpace { operand: Operand::Dst, .. })));
    }
    let burst = config(Layout::ToBias, &[(BurstCount, 1), (BurstLen, 1)])[0];
    for (op, space, align) in [(Op::MovL1ToBtB32, Space::Bt, 64), (Op::MovL1ToFbV220, Space::Fb, 128)] {
        let d = m.decode(op, [m.space(space, 0), m.space(Space::L1, 0), burst, 0]).expect("legal");
        assert_eq!([d.accesses()[0].align_bytes, d.accesses()[1].align_bytes], [align, 32]);
        let elsewhere = m.decode(op, [m.space(space, 0), m.gm(0), burst, 0]);
        assert!(matches!(
            elsewhere,
            Err(ExecFault::WrongSpace { operand: Operand::Src0, expected: Space::L1, .. })
        ));
    }
    let words = config(Layout::Load2dTranspose, &[(RepeatTimes, 2), (SrcStride, 1)]);
    let x = [m.space(Space::L0b, 0), m.space(Space::L1, 0), words[0], words[1]];
    let d = m.decode(Op::LoadL1ToL0bTransposeS8, x).expect("legal");
    assert_eq!([d.accesses()[0].align_bytes, d.accesses()[1].align_bytes], [512, 32]);
}
