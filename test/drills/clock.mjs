// Loaded into a process before anything else (node --import): its clock is off by CLOCK_OFF milliseconds, in every thread.
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
  // A date that came from another thread was made by the real class.
  static [Symbol.hasInstance](value) {
    return RealDate[Symbol.hasInstance](value)
  }
}
Object.defineProperty(Shifted, 'name', { value: 'Date' })
globalThis.Date = Shifted
