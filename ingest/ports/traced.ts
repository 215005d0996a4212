import type { Session } from '../../sql/session.ts'
import type { Objects } from './objects.ts'
import { inPart } from './trace.ts'

/** Returns a store whose reads and writes are child spans. */
export function tracedObjects(store: Objects): Objects {
  return {
    ...store,
    get: (key: string) => inPart('object get', { 'hexcast.object': key }, () => store.get(key)),
    range: (key: string, from: number, length: number) =>
      inPart('object range', { 'hexcast.object': key, 'hexcast.bytes': length }, () => store.range(key, from, length)),
    put: (...[key, bytes, options]: Parameters<Objects['put']>) =>
      inPart('object put', { 'hexcast.object': key, 'hexcast.bytes': bytes.length }, () =>
        store.put(key, bytes, options),
      ),
  }
}

/** Runs a statement in a child span that has its text without its parameters. */
export const tracedStatement = <T>(text: string, work: () => Promise<T>): Promise<T> =>
  inPart('database', { 'db.query.text': text.trim().slice(0, 200) }, work)

export function tracedSession(session: Session): Session {
  return {
    run: (text, parameters) => tracedStatement(text, () => session.run(text, parameters)),
    finish: (text) => tracedStatement(text, () => session.finish(text)),
    release: () => session.release(),
    breakOff: () => session.breakOff(),
  }
}
