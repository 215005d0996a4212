export interface WidgetEntry {
  readonly component: 'CurrentCard' | 'DailyStrip' | 'HourlyChart' | 'AlertList' | 'AqiGauge'
  readonly props: Readonly<Record<string, unknown>>
}

/** A component of the widget: it only shows members of the result. */
export function entry(component: WidgetEntry['component'], props: WidgetEntry['props']): WidgetEntry {
  return { component, props }
}

export function widgetOf(entries: readonly WidgetEntry[]): {
  spec: 'hexcast/ui-spec'
  entries: readonly WidgetEntry[]
} {
  return { spec: 'hexcast/ui-spec', entries }
}
