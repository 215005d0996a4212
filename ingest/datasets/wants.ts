import type { DirectionWant, Match, ScalarWant, WindWant } from '../domain/dataset/want.ts'

type WantOptions = Omit<ScalarWant, 'kind' | 'variable' | 'match'>

/** Declares a variable that a run must have: without it the run is incomplete. */
export function required(variable: string, match: Match, options: WantOptions = {}): ScalarWant {
  return { kind: 'scalar', variable, match, ...options }
}

/** Declares a variable whose absence only makes an answer less complete. */
export function optional(variable: string, match: Match, options: WantOptions = {}): ScalarWant {
  return { kind: 'scalar', variable, match, optional: true, ...options }
}

export function windFrom(u: Match, v: Match, options: Pick<WindWant, 'optional' | 'leads'> = {}): WindWant {
  return { kind: 'wind', speed: 'wind_speed', direction: 'wind_direction', u, v, ...options }
}

export function directionBy(match: Match, by: Match): DirectionWant {
  return { kind: 'direction', variable: 'wind_direction', match, by }
}
