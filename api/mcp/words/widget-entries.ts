export interface Entry {
  readonly component: 'CurrentCard' | 'DailyStrip' | 'HourlyChart' | 'AlertList' | 'AqiGauge'
  readonly props: Readonly<Record<string, unknown>>
}

/** A component of the widget: it only shows members of the result. */
export function entry(component: Entry['component'], props: Entry['props']): Entry {
  return { component, props }
}

export function widgetOf(entries: readonly Entry[]): { spec: 'hexcast/ui-spec'; entries: readonly Entry[] } {
  return { spec: 'hexcast/ui-spec', entries }
}
