/**
 * V8's options for the process that answers: minor collections are rare from its start on, and short (docs/SCALE.md).
 */
export const answering = ['--max-semi-space-size=16', '--min-semi-space-size=8'] as const
