import type { Look } from './ink.ts'

/** A sample of a line. */
export const Swatch = ({ ink, dash }: Look) => (
  <svg width={20} height={6} aria-hidden className="shrink-0">
    <line x1={0} x2={20} y1={3} y2={3} stroke={`var(--${ink})`} strokeWidth={3} strokeDasharray={dash.join(' ')} />
  </svg>
)
