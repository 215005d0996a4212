import type { Session } from '../../sql/session.ts'
import type { Objects } from './objects.ts'
import { inPart } from './trace.ts'

/** Reads and writes of the store as child spans of the active one. */
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

/** Statements, without their parameters, as child spans of the active one. */
export function tracedSession(session: Session): Session {
  return {
    run: (text, parameters) =>
      inPart('database', { 'db.query.text': text.trim().slice(0, 200) }, () => session.run(text, parameters)),
    release: () => session.release(),
    breakOff: () => session.breakOff(),
  }
}
