import { describe, expect, test } from 'vitest'
import { bunzip2 } from '../../ingest/decode/bzip2.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'

/** Streams of Python's bz2 (level 1). */
const streams: readonly (readonly [name: string, base64: string, text: Uint8Array])[] = [
  ['one letter', 'QlpoMTFBWSZTWRmTm2sAAAABACAAIAAhGEaC7kinChIDMnNtYA==', Uint8Array.of(97)],
  ['zeros', 'QlpoMTFBWSZTWYK4WkIAD1HgAMAAAACACCAAMMwJqmmKkhtVKSHi7kinChIQVwtIQA==', new Uint8Array(2_000_000)],
  [
    'runs of 0 to 260 bytes',
    'QlpoMTFBWSZTWey4YnsAAcp////////////////////////////////////////////4UAUWF7lAFPAGADNSCIAAAAAAAAAAAAAAAAAAGH71KoAAAAAAAAAAAAAAAAB//+qlVAAAf/qqHQAAAAAAAAAAAAAAAAAAAAaAAAAAAAAAAAAAAAAAAAAACKRTaho0DTIBkyNMTBMIaBkYIZGjTRgBDACYgMmmz9Up6m1PU9Tanqeo9NNR6nqeptTTR6aDTTQGjRPQgANAaA0wQBhNAyCXqn/5VUf//qqqjCGmJiaaBiaNBgTTRhBoGmjI0aGEYAQaMQGGiAaA00yGjIaMTExDI0YjTI0AGmjQ0yDCMP1UAABtQiSP3lVSgaNAAA0AAGmgaADQAAAABoNAGjRp56qAANAAABoAAAYgAAADIAB/6qgAAAFfwMACAkLDA4PERMVFhgaHB0fISMkJigqKy0vMTI0Njg5Oz0/QEJERkdJS01OUFJUVdrAQUHCw8Tt9zFxsdISW6lJbeb6X4PCLFzBk0bOHTx9AhRI0iWgoUyekUKVVXWq1lkttev2e53vB4vJ5vR6vZ7rq8+Hy+l9gff8/vDKh/iRUCAAAAsSIAAAAECQkhLgTIIAggguUIJhiyYFCmM4YmOJNiZ4poeMb44zhzkCd5J4eVyz4zqCeFDzOaKLnIx56ToDPpeiNB0qEen1Ew0SejGkpaZQpqFVVV1lcrr1ljZLbO0x8jJy8zNz9DR09TV19jZ29zd3+Dh4+Tl5+jp6+zt7/Dx8/T19/j5+/z9AgAIEFBQACIiIuWRERERcs8O25S9vrbtKRSlLSKXmRTdvGtba1rbWtbhcLhcLhcLhcLhcLhcLmpKn3H3n4H4n5H5n6H6n7H7n8H8n9H9n+H91r/la/7Wv/YmmJpSlKUvblyIiIiLbI4qyKRSlLbttkRF1b6/wmELRaLRaLRaLRaLRaLRaLRaLRJJJJJJJJJJJJJJJJJJJbiJvYmL1lKUpSkVvrLKUpS9ZhL1/epZZf4GBg3+BFa1itaxWtYrWsVrWK1rFa1itaxWtYrWsVrWK1rFa1itaxWtYJJJJJJJJJJJJJJJJJJJMNicPZZSlKX16lLKUpfXl6yllKUxF9ZF629SyzBjAwuFwYECBAgQIECBAgQIECBJJJJJJJJJJJJJJJJJJJLEYZew9LKUpS9sikUpS9spFKUpbF2xsi225QsiCylxLy7N9Wtb6pAgQIECBAgQIECBAkkkkkkkkkkkkkkkmiinoop6KKeiinopsTiaVKlSqFKlUKbGU2NxsBMiAkQEiAmRASICRATIgJEBIgJkQEiAkQEyICRASICZEBIgJEBMiAkQEiAmRASICRATIgJEBIgJkQEiAkQEyICRASICZEBIgJEBMiAkQEiAmRASICRATIgJECAIgzKggIICDMqCAggIMyoICCAgzKggIICDMqCAggIMyoICCAgzKggIICDMqCAggIMyoICCAgzKggIICDMqCAggIMyoICCAgzKggIICDMqCAggIMyoICCAgzKggIICDMqCAggIMyoICCAgzKggIICDMqDDZZF2GJssYYs/8XckU4UJDsuGJ7A',
    Buffer.concat(Array.from({ length: 900 }, (_, k) => Buffer.alloc(k % 261, k % 7))),
  ],
  [
    'all byte values',
    'QlpoMTFBWSZTWe3ga8wAAAF/////////////////////////////////////////////sAFgAS//9VVQJgJgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACTAATAAEwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAASYACYAAmAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAH9QFAkDQRBX/IMg6EIShSFoY/9DUOQ9EERRJE0URVFkXRhGUaRtHEdR5H0gSFIkjSRJUmSdKEpSpK0sS1LkvTBMUyTNNE1TZN04TlOk7TxPU+T9QFBUJQ1EUVRlHUhSVKUtTFNU5T1QVFUlTVRVVWVdWFZVpW1cV1XlfWBYViWNZFlWZZ1oWlalrWxbVuW9cFxXJc10XVdl3XheV6XtfF9X5f2AYFgmDYRhWGYdiGJYpi2MY1jmPZBkWSZNlGVZZl2YZlmmbZxnWeZ9oGhaJo2kaVpmnahqWqatrGta5r2wbFsmzbRtW2bduG5bpu28b1vm/cBwXCcNxHFcZx3IclynLcxzXOc90HRdJ03UdV1nXdh2Xadt3Hdd533geF4njeR5Xmed6Hpep63se17nvfB8XyfN9H1fZ934fl+n7fx/X+F3JFOFCQ7eBrzAA==',
    Uint8Array.from({ length: 768 }, (_, k) => k & 255),
  ],
]

describe.each(streams)('%s', (_name, base64, text) => {
  const stream = Buffer.from(base64, 'base64')

  test('is decompressed', () => expect(Buffer.compare(bunzip2(stream, 2 ** 22), text)).toBe(0))

  test('rejects a limit that is too small', () => {
    expect(() => bunzip2(stream, text.length - 1)).toThrow(/at most \d+ bytes/)
  })

  test('returns a fault for a truncated or changed stream, or the same text if only the padding changed', () => {
    for (let at = 0; at < stream.length; at++) {
      const changed = Buffer.from(stream)
      changed[at] = nth(changed, at) ^ (1 << (at % 8))
      for (const broken of [stream.subarray(0, at), changed]) {
        try {
          expect(Buffer.compare(bunzip2(broken, 2 ** 22), text)).toBe(0)
        } catch (error) {
          expect(isFault(error, 'Corrupt')).toBe(true)
        }
      }
    }
  })
})
