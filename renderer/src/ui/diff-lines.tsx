import { cn } from './cn.ts'
import { formatCount } from './format.ts'
import { Visible } from './visible.tsx'

export type DiffLineKind = 'context' | 'added' | 'removed'

const SIGN = { added: '+', removed: '−', context: ' ' } as const
const TINT = { added: 'bg-ok/12', removed: 'bg-bad/12', context: '' } as const

/** Background of a line of a diff; its sign has its own column, so that colour is not the only difference. */
export const diffTint = (kind: DiffLineKind): string => TINT[kind]

/** Cells of a line: number before, number after, sign, text. */
export const DiffLineCells = ({
  kind,
  before,
  after,
  text,
}: {
  kind: DiffLineKind
  before: number | null
  after: number | null
  text: string
}) => (
  <>
    <LineNumber value={before} />
    <LineNumber value={after} />
    <td className="py-0 pr-2 pl-1 text-center text-second select-none">
      {kind === 'context' ? '' : SIGN[kind]}
      <span className="sr-only">{kind === 'context' ? '' : kind}</span>
    </td>
    <td className="w-full pr-3 whitespace-pre">
      <Visible text={text === '' ? ' ' : text} />
    </td>
  </>
)

const LineNumber = ({ value }: { value: number | null }) => (
  <td className={cn('px-1.5 text-right text-second select-none', value === null && 'w-0 px-0')}>{value ?? ''}</td>
)

/** "+12 −3", in words for screen readers. */
export const DiffCount = ({ added, removed }: { added: number; removed: number }) => (
  <span className="font-mono text-xs whitespace-nowrap" aria-label={`${added} lines added, ${removed} removed`} role="img">
    <span className="text-ok">+{formatCount(added)}</span> <span className="text-bad">−{formatCount(removed)}</span>
  </span>
)
