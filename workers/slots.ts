import { frameDatasets, gridDatasets, sweepNameOf } from '../ingest/catalog.ts'
import { feeds } from '../ingest/steps/feeds/index.ts'

/** Zones and texts may be read once more while their scheduled read runs (`sweepNext`). */
const FURTHER_FEED_READS = 2
/** Each feed has a slot: a feed that hangs delays no other feed. */
export const FEEDS_AT_ONCE = feeds.length + FURTHER_FEED_READS
/** Each family of frames has a slot: a source that does not answer delays no other source. */
export const FAMILIES_AT_ONCE = new Set(frameDatasets.map(sweepNameOf)).size
/** Slots of each workflow in the lane of alerts: a read and its repetition, and two timers of expirations. */
export const ALERT_SLOTS = 2
/**
 * Each dataset of runs has a slot, and so have the past hours: a source that does not answer delays no other source.
 */
export const WATCHES_AT_ONCE = gridDatasets.length + gridDatasets.filter(({ pastHours }) => pastHours).length
