/** A component of the widget with the values that it shows. */
export interface WidgetEntry {
  readonly component: 'CurrentCard' | 'DailyStrip' | 'HourlyChart' | 'AlertList' | 'AqiGauge'
  readonly props: Readonly<Record<string, unknown>>
}

/** Returns an entry for a component; `props` holds only members of the result. */
export function entry(component: WidgetEntry['component'], props: WidgetEntry['props']): WidgetEntry {
  return { component, props }
}

export function widgetOf(entries: readonly WidgetEntry[]): {
  spec: 'hexcast/ui-spec'
  entries: readonly WidgetEntry[]
} {
  return { spec: 'hexcast/ui-spec', entries }
}
