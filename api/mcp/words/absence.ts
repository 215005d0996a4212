/** Subjects that are named only if their absence is certain: the sentence before them says what is not known. */
interface CertainFacts {
  /** No alert near a place that itself has no alert. */
  readonly alerts_nearby: { readonly km: number; readonly elsewhere: string }
  /** No alert at all in an area where none matches the filters. */
  readonly alerts_other: object
  /** No precipitation under an echo aloft. */
  readonly precipitation_under: { readonly echo: string }
  /** No precipitation in the current hour of the model. */
  readonly precipitation_of_model: object
  /** No precipitation in a past window, as the value of a line. */
  readonly total: object
  /** No active alert with an id. */
  readonly alert_of_id: { readonly id: string }
  /** No hazard in the hazardous weather outlook, after its heading. */
  readonly hazards: object
}

/**
 * The facts of every sentence that says that something is absent. Each subject has two sentences: that a recent, complete read had nothing, and
 * that it is not known. `test/house/absence.test.ts` rejects such sentences in other files of the
 * tools, except about the legs of a route.
 */
interface Facts {
  /** No alert in effect at a place or in an area. */
  readonly alerts: { readonly where: string; readonly asOf: string }
  /** No alert that matches the filters of a search. */
  readonly alerts_matching: { readonly filters: string; readonly where: string; readonly asOf: string }
  /** No alert of any kind in an area, as the second half of a line. */
  readonly alerts_of_any_kind: { readonly where: string; readonly asOf: string }
  readonly alerts_at_stops: object
  /** No alert in a picture, in words that follow the name of a layer. The same holds for the other subjects of a picture. */
  readonly alerts_in_picture: object
  /** No alert in a picture that matches the filters of its layer. */
  readonly alerts_matching_in_picture: { readonly filters: string; readonly others: number }
  /** No alert of a picture at its middle. */
  readonly alerts_at_centre: object
  readonly storm_cells_in_picture: object
  /** No area in the SPC outlook of a day. */
  readonly outlook_areas: { readonly day: number }
  /** No value above the least of a palette, in the part of a picture that an instrument covers. */
  readonly echo_in_picture: { readonly least: string; readonly where: string }
  readonly red_flag: { readonly place: string; readonly asOf: string }
  readonly fire_outlook: { readonly days: number }
  readonly severe_outlook: { readonly place: string; readonly days: number; readonly asOf: string }
  readonly mesoscale_discussions: object
  /** No precipitation over a place by the newest radar scan. */
  readonly precipitation_over: { readonly place: string; readonly at: string }
  /** No echo within a radius of a place. */
  readonly echo_within: { readonly km: number; readonly dbz: number }
  /** No precipitation at a place now, after the words that name the scan. */
  readonly precipitation_now: object
  /** No precipitation in the next minutes by the nowcast. */
  readonly nowcast: { readonly place: string; readonly minutes: number; readonly now: boolean }
  /** No lasting precipitation in the next minutes by the nowcast, but a moment of it. */
  readonly nowcast_lasting: { readonly place: string; readonly minutes: number; readonly moment: string }
  /** No precipitation after rain or snow that is about to end, as the end of a sentence. */
  readonly nowcast_after: { readonly minutes: number }
  readonly flashes: { readonly nearest: string }
  readonly storm_cells: { readonly where: string; readonly at: string; readonly elsewhere: number }
  readonly texts: { readonly title: string; readonly where: string; readonly asOf: string }
  /** No significant change of a forecast. */
  readonly changes: { readonly place: string; readonly since: string }
  readonly climate_items: { readonly kind: string; readonly period: string }
}

interface Sentences<F> {
  /** Returns the sentence after a recent, complete read without any result. */
  absent(facts: F): string
  /** Returns what is not known, as a clause after "It is not known". */
  question(facts: F): string
  /** The sentence after the reason; absent: that it is not an all-clear. */
  readonly caution?: string
}

const MAY_BE_WET = ' This does not mean that it is dry.'

const certainSentences: { readonly [S in keyof CertainFacts]: (facts: CertainFacts[S]) => string } = {
  alerts_nearby: ({ km, elsewhere }) => `None is active within about ${km} km either; ${elsewhere}.`,
  alerts_other: () => 'None of another kind is active there either.',
  precipitation_under: ({ echo }) => `${echo}, without precipitation at the ground by radar.`,
  precipitation_of_model: () => 'The model has a dry hour, which does not rule it out.',
  total: () => 'none',
  alert_of_id: ({ id }) =>
    `No active alert has the id "${id}": it is unknown, has ended, or was replaced by an update.`,
  hazards: () => 'no hazards expected',
}

const sentences: { readonly [S in keyof Facts]: Sentences<Facts[S]> } = {
  alerts: {
    absent: ({ where, asOf }) => `No active alerts ${where} ${asOf}.`,
    question: ({ where, asOf }) => `whether an alert is in effect ${where}${asOf && ` ${asOf}`}`,
  },
  alerts_matching: {
    absent: ({ filters, where, asOf }) => `0 alerts match ${filters} in ${where} ${asOf}.`,
    question: ({ filters, where, asOf }) => `whether an alert matches ${filters} in ${where} ${asOf}`,
  },
  alerts_of_any_kind: {
    absent: ({ where, asOf }) => `Active in ${where} ${asOf}: none of any kind.`,
    question: ({ where, asOf }) => `whether an alert is in effect in ${where} ${asOf}`,
  },
  alerts_at_stops: {
    absent: () => 'No alert issued so far is in effect at these stops at these times',
    question: () => 'whether an alert is in effect at every stop',
  },
  alerts_in_picture: {
    absent: () => 'no alert is active in the picture',
    question: () => 'whether an alert is active in the picture',
  },
  alerts_matching_in_picture: {
    absent: ({ filters, others }) =>
      `0 alerts in the picture match ${filters}; ${others} ${others === 1 ? 'other is' : 'others are'} active in it`,
    question: ({ filters }) => `whether an alert in the picture matches ${filters}`,
  },
  alerts_at_centre: {
    absent: () => 'none of them at the centre',
    question: () => 'whether one of them is in effect at the centre',
  },
  storm_cells_in_picture: {
    absent: () => '0 tracked storm cells in the picture',
    question: () => 'whether storm cells are in the picture',
  },
  outlook_areas: {
    absent: ({ day }) => `no outlook areas on day ${day}`,
    question: ({ day }) => `whether there are outlook areas on day ${day}`,
  },
  echo_in_picture: {
    absent: ({ least, where }) => `nothing above ${least} in the picture${where}.`,
    question: ({ least }) => `whether anything above ${least} is in the picture`,
    caution: MAY_BE_WET,
  },
  red_flag: {
    absent: ({ place, asOf }) => `No Red Flag Warning is in effect at ${place} ${asOf}.`,
    question: ({ place }) => `whether a Red Flag Warning is in effect at ${place}`,
  },
  fire_outlook: {
    absent: ({ days }) => `No SPC fire weather outlook area covers the place on days 1 to ${days}.`,
    question: ({ days }) => `whether an SPC fire weather outlook area covers the place on days 1 to ${days}`,
  },
  severe_outlook: {
    absent: ({ place, days, asOf }) =>
      `No severe weather outlook area covers ${place} on days 1 to ${days} ${asOf}. Warnings in effect now: get_alerts.`,
    question: ({ place, days }) => `whether a severe weather outlook area covers ${place} on days 1 to ${days}`,
  },
  mesoscale_discussions: {
    absent: () => 'No mesoscale discussion is in effect there.',
    question: () => 'whether a mesoscale discussion is in effect there',
  },
  precipitation_over: {
    absent: ({ place, at }) => `No precipitation over ${place} at ${at} by radar.`,
    question: ({ place }) => `whether anything falls at ${place} now`,
    caution: MAY_BE_WET,
  },
  echo_within: {
    absent: ({ km, dbz }) => `No echo of ${dbz} dBZ within ${km} km.`,
    question: ({ km, dbz }) => `whether there is an echo of ${dbz} dBZ or more within ${km} km`,
    caution: MAY_BE_WET,
  },
  precipitation_now: {
    absent: () => 'no precipitation here.',
    question: () => 'whether anything falls here now',
    // The words of the model follow.
    caution: '',
  },
  nowcast: {
    absent: ({ place, minutes }) => `No rain or snow at ${place} in the next ${minutes} minutes by radar.`,
    question: ({ place, minutes, now }) =>
      now && minutes === 0
        ? `whether rain or snow falls at ${place} now`
        : `whether rain or snow falls at ${place} in the next ${minutes} minutes`,
    caution: MAY_BE_WET,
  },
  nowcast_lasting: {
    absent: ({ place, minutes, moment }) =>
      `No lasting rain or snow at ${place} in the next ${minutes} minutes by radar; ${moment}.`,
    question: ({ place, minutes, moment }) =>
      `whether more rain or snow falls at ${place} in the next ${minutes} minutes than ${moment}`,
    caution: MAY_BE_WET,
  },
  nowcast_after: {
    absent: ({ minutes }) => `none in the ${minutes} minutes after that`,
    question: ({ minutes }) => `whether more falls in the ${minutes} minutes after that`,
  },
  flashes: {
    absent: ({ nearest }) => `No flash within 30 km in 10 minutes${nearest}.`,
    question: () => 'whether there are flashes within 30 km',
  },
  storm_cells: {
    absent: ({ where, at, elsewhere }) =>
      `0 tracked storm cells ${where} at ${at}; ${elsewhere} elsewhere. Rain and lightning without a tracked cell are possible: get_radar, get_lightning_activity.`,
    question: ({ where }) => `whether there are storm cells ${where}`,
  },
  texts: {
    absent: ({ title, where, asOf }) => `No ${title} is in effect ${where} ${asOf}; the lists of texts have been read.`,
    question: ({ title, where }) => `whether a ${title} is in effect ${where}`,
  },
  changes: {
    absent: ({ place, since }) => `No significant change of the forecast at ${place} since ${since}.`,
    question: ({ place, since }) => `whether the forecast at ${place} changed since ${since}`,
    caution: '',
  },
  climate_items: {
    absent: ({ kind, period }) => `No ${kind} that match were issued ${period}.`,
    question: ({ kind, period }) => `which ${kind} were issued ${period}`,
  },
}

/** Returns the sentence about something that is certainly absent, whose doubt is stated before it. */
export const certainAbsence = <S extends keyof CertainFacts>(subject: S, facts: CertainFacts[S]): string =>
  certainSentences[subject](facts)

/**
 * Returns the sentence about something that no read has: that it is absent, or with `doubt`, the reason why this is not certain, that it is not
 * known. A subject whose sentence continues another sentence has no full stop if it is absent.
 */
export function absence<S extends keyof Facts>(subject: S, facts: Facts[S], doubt?: string): string {
  const words: Sentences<Facts[S]> = sentences[subject]
  if (doubt === undefined) return words.absent(facts)
  const { caution = ' This is not an all-clear.' } = words
  const reason = doubt.replace(/\.$/, '')
  // Some reasons name what is not known more exactly, such as the event whose area is missing.
  return `It is ${reason.startsWith('not known whether ') ? reason : `not known ${words.question(facts)}: ${reason}`}.${caution}`
}
