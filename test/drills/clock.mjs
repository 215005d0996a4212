// `node --import` loads this file first. It shifts the clock of the process by CLOCK_OFF milliseconds, in every thread.
const off = Number(process.env.CLOCK_OFF ?? 0)
const RealDate = Date
const now = () => RealDate.now() + off
class Shifted extends RealDate {
  constructor(...words) {
    if (words.length === 0) super(now())
    else super(...words)
  }
  static now() {
    return now()
  }
  // A date from another thread is an instance of the real class.
  static [Symbol.hasInstance](value) {
    return RealDate[Symbol.hasInstance](value)
  }
}
Object.defineProperty(Shifted, 'name', { value: 'Date' })
globalThis.Date = Shifted
