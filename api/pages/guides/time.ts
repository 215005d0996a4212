import { code, type Guide, html } from './guide.ts'

export const time: Guide = () => ({
  title: 'Time and days',
  about: 'UTC everywhere, local days, day and night halves, daylight saving.',
  body: html`<h2 id="instants">Instants</h2>
<p>Every instant is UTC in ISO 8601: <code>2026-08-20T18:00:00Z</code>. <code>location.timezone</code> is the IANA zone of the point and <code>location.utc_offset_seconds</code> its offset now.</p>
${code(`new Date(hour.time).toLocaleTimeString('en-US', { timeZone: weather.location.timezone })   // JavaScript
datetime.fromisoformat(hour["time"]).astimezone(ZoneInfo(weather["location"]["timezone"]))  # Python`)}
<h2 id="days">Days</h2>
<p><code>daily[].date</code> is a local calendar date and <code>relative_day</code> counts from today. <code>day</code> is 06:00 to 17:59 by the local clock, <code>night</code> 18:00 to 05:59 of the next date. <code>high</code> is the highest temperature of the day half and <code>low</code> the lowest of the night half, as the National Weather Service counts them.</p>
<p>After midnight and before 06:00 the running night is a row of its own with <code>relative_day: -1</code>. <code>active_period</code> marks the running half, whose values cover only the hours still to come.</p>
<h2 id="dst">Daylight saving</h2>
<p>The day of a change has 23 or 25 hours, and <code>hourly</code> as many rows. Sunrise, sunset and moon events in <code>astro</code> belong to the local date; an event that does not occur is <code>null</code>, and <code>polar</code> tells whether the sun stays up or down.</p>
<h2 id="past">The past</h2>
<p><code>past_hours=24</code> puts the last 24 hours before the running hour of <code>hourly</code>, with values of analyses (URMA, else RTMA) and amounts that radar and gauges measured. <code>source</code> is <code>observed</code> if late observations are included, else <code>analysis</code>; <code>product_id</code> and <code>precip_product_id</code> name the datasets. Values that no analysis has, such as probabilities, are null. An hour for which nothing is stored has no row, and <code>meta.warnings</code> says so: right after the first start, there are few. <code>/v1/point</code> and <code>/v1/series/batch</code> take <code>start</code> and <code>end</code> in the past; <code>as_of</code> reproduces an answer as it was at an earlier time.</p>
<h2 id="runs">Runs</h2>
<p>Every forecast belongs to a model run: <code>meta.freshness[].reference_time</code>. A run is served whole or not at all, and an older run never replaces a newer one.</p>`,
})
