type Ring = readonly (readonly [lon: number, lat: number])[]

/** Rings in any order as polygons: each outline is followed by its holes. Outlines counter-clockwise, holes clockwise (RFC 7946). */
export function polygonsOf(rings: readonly Ring[]): Ring[][] {
  const sized = rings.map((ring) => ({ ring, area: area(ring) })).sort((a, b) => Math.abs(b.area) - Math.abs(a.area))
  const polygons: { outline: Ring; parts: Ring[] }[] = []
  for (const { ring, area: signed } of sized) {
    const around = polygons.filter(({ outline }) => mostlyInside(ring, outline))
    const holes = around.reduce(
      (sum, { parts }) => sum + parts.slice(1).filter((hole) => mostlyInside(ring, hole)).length,
      0,
    )
    const isHole = (around.length + holes) % 2 === 1
    const turned = signed > 0 === isHole ? ring.toReversed() : ring
    if (isHole) around.at(-1)!.parts.push(turned)
    else polygons.push({ outline: turned, parts: [turned] })
  }
  return polygons.map(({ parts }) => parts)
}

function area(ring: Ring): number {
  let sum = 0
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++)
    sum += ring[j]![0] * ring[i]![1] - ring[i]![0] * ring[j]![1]
  return sum / 2
}

/** Simplified outlines overlap at their edges: an islet with a corner on the mainland is no lake. Up to 9 corners are tested. */
function mostlyInside(ring: Ring, around: Ring): boolean {
  const step = Math.max(1, Math.floor(ring.length / 9))
  const asked = ring.filter((_, i) => i % step === 0)
  return asked.filter((corner) => inside(corner, around)).length * 2 > asked.length
}

function inside([x, y]: readonly [number, number], ring: Ring): boolean {
  let odd = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [ax, ay] = ring[i]!
    const [bx, by] = ring[j]!
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd
  }
  return odd
}
