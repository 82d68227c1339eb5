import { DASH } from './format.ts'

/** A dash for a value that is not known; hovering shows why. */
export const Unknown = ({ why }: { why: string }) => (
  <span title={why} className="text-second">
    {DASH}
  </span>
)
