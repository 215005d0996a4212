/** Rewrites codestreams into equivalent ones with markers that OpenJPEG's encoder does not write. */

const SOD = 0xff93
const SOT = 0xff90

interface Segment {
  readonly marker: number
  readonly body: Uint8Array
}

interface TilePart {
  readonly index: number
  readonly part: number
  readonly count: number
  readonly segments: Segment[]
  readonly packets: Uint8Array
}

interface Stream {
  readonly main: Segment[]
  readonly tileParts: TilePart[]
}

const word = (octets: Uint8Array, at: number) => octets[at]! * 256 + octets[at + 1]!

function readSegments(octets: Uint8Array, from: number, end: number): readonly [segments: Segment[], at: number] {
  const segments: Segment[] = []
  let at = from
  while (word(octets, at) !== end) {
    const length = word(octets, at + 2)
    segments.push({ marker: word(octets, at), body: octets.slice(at + 4, at + 2 + length) })
    at += 2 + length
  }
  return [segments, at]
}

export function parse(octets: Uint8Array): Stream {
  const [main, start] = readSegments(octets, 2, SOT)
  const tileParts: TilePart[] = []
  let at = start
  while (word(octets, at) === SOT) {
    const length = new DataView(octets.buffer, octets.byteOffset).getUint32(at + 6)
    const [segments, sod] = readSegments(octets, at + 12, SOD)
    const end = at + length
    const [index, part, count] = [word(octets, at + 4), octets[at + 10]!, octets[at + 11]!]
    tileParts.push({ index, part, count, segments, packets: octets.slice(sod + 2, end) })
    at = end
  }
  return { main, tileParts }
}

const write = (segments: readonly Segment[]) =>
  Buffer.concat(
    segments.flatMap(({ marker, body }) => [
      Buffer.from([marker >> 8, marker & 255, (body.length + 2) >> 8, (body.length + 2) & 255]),
      body,
    ]),
  )

export function serialize({ main, tileParts }: Stream): Uint8Array {
  const parts = tileParts.map(({ index, part, count, segments, packets }) => {
    const header = write(segments)
    const sot = Buffer.alloc(12)
    sot.writeUInt16BE(SOT, 0)
    sot.writeUInt16BE(10, 2)
    sot.writeUInt16BE(index, 4)
    sot.writeUInt32BE(12 + header.length + 2 + packets.length, 6)
    sot[10] = part
    sot[11] = count
    return Buffer.concat([sot, header, Buffer.from([SOD >> 8, SOD & 255]), packets])
  })
  return Buffer.concat([Buffer.from([0xff, 0x4f]), write(main), ...parts, Buffer.from([0xff, 0xd9])])
}

/** Splits packets with SOP and EPH markers: headers with their EPH, and what is left. */
function splitPackets(packets: Uint8Array): readonly [headers: Uint8Array, bodies: Uint8Array] {
  const headers: Uint8Array[] = []
  const bodies: Uint8Array[] = []
  for (let at = 0; at < packets.length; ) {
    let eph = at + 6
    while (word(packets, eph) !== 0xff92) eph++
    let end = eph + 2
    while (end < packets.length && word(packets, end) !== 0xff91) end++
    bodies.push(packets.subarray(at, at + 6), packets.subarray(eph + 2, end))
    headers.push(packets.subarray(at + 6, eph + 2))
    at = end
  }
  return [Buffer.concat(headers), Buffer.concat(bodies)]
}

/** Segments of at most `size` octets, numbered from 0, the last one first: the number gives the order. */
function numbered(marker: number, octets: Uint8Array, size: number): Segment[] {
  const count = Math.ceil(octets.length / size)
  return Array.from({ length: count }, (_, k) => ({
    marker,
    body: Buffer.concat([Buffer.from([k]), octets.subarray(k * size, (k + 1) * size)]),
  })).reverse()
}

/** Moves packet headers of a stream with SOP and EPH into the tile-part headers (PPT). */
export function withPpt(octets: Uint8Array): Uint8Array {
  const { main, tileParts } = parse(octets)
  return serialize({
    main,
    tileParts: tileParts.map((part) => {
      const [headers, packets] = splitPackets(part.packets)
      return { ...part, segments: [...part.segments, ...numbered(0xff61, headers, 40)], packets }
    }),
  })
}

/** Moves packet headers of a stream with SOP and EPH into the main header (PPM). */
export function withPpm(octets: Uint8Array): Uint8Array {
  const { main, tileParts } = parse(octets)
  const split = tileParts.map((part) => splitPackets(part.packets))
  const runs = split.map(([headers]) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(headers.length)
    return Buffer.concat([length, headers])
  })
  return serialize({
    main: [...main, ...numbered(0xff60, Buffer.concat(runs), 250)],
    tileParts: tileParts.map((part, k) => ({ ...part, packets: split[k]![1] })),
  })
}

/** Moves coding and quantization of the component to COC and QCC; COD and QCD describe another component. */
export function withComponentMarkers(octets: Uint8Array, where: 'main' | 'tile'): Uint8Array {
  const { main, tileParts } = parse(octets)
  const cod = main.find(({ marker }) => marker === 0xff52)!.body
  const qcd = main.find(({ marker }) => marker === 0xff5c)!.body
  const coc = { marker: 0xff53, body: Buffer.concat([Buffer.from([0, cod[0]! & 1]), cod.subarray(5)]) }
  const qcc = { marker: 0xff5d, body: Buffer.concat([Buffer.from([0]), qcd]) }
  // The COD has one level of the other wavelet and code blocks of 4 × 4, and no precincts.
  const otherCod = Buffer.concat([
    Buffer.from([cod[0]! & 0xfe]),
    cod.subarray(1, 5),
    Buffer.from([1, 0, 0, 0, cod[9]! ^ 1]),
  ])
  const otherQcd = Buffer.from([0x41, 0x48, 0x03])
  const others = main.map((segment) => {
    if (segment.marker === 0xff52) return { ...segment, body: otherCod }
    return segment.marker === 0xff5c ? { ...segment, body: otherQcd } : segment
  })
  if (where === 'main') return serialize({ main: [...others, coc, qcc], tileParts })
  return serialize({
    main: others,
    tileParts: tileParts.map((part) => (part.part === 0 ? { ...part, segments: [coc, qcc, ...part.segments] } : part)),
  })
}
