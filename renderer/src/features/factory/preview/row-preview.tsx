import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Preview, PreviewPiece } from '#contracts/entities/preview.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatCount, formatPercent } from '#renderer/ui/format.ts'
import { TEXT_BARS } from '../skeletons.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { usePreviewChoice } from './choice.ts'
import { usePreview, type PreviewSource } from './queries.ts'
import { TemplateChoice } from './template-choice.tsx'
import { TokenizerChoice } from './tokenizer-choice.tsx'

/** Longer rows are shown without token boundaries, because drawing them would freeze the page. */
const MAX_TOKENS = 20_000

/** The tokens that a model sees of a row, and which of them carry loss. */
export function RowPreview({ row }: { row: PreviewSource }) {
  const { tokenizer, template, maxTokens, boundaries } = usePreviewChoice()
  const [part, setPart] = useState(0)
  return (
    <section aria-label="Model input" className="flex min-h-0 min-w-0 flex-col gap-3">
      <TokenizerChoice />
      <TemplateChoice />
      <Fetched query={usePreview(row, { tokenizer, template, maxTokens }, part)} what="preview" bars={TEXT_BARS}>
        {(preview) => (
          <>
            {preview.parts > 1 ? <Parts {...preview} onChange={setPart} /> : null}
            <PreviewResult preview={preview} boundaries={boundaries} />
          </>
        )}
      </Fetched>
    </section>
  )
}

/** Steps through the parts of a split row. */
function Parts({ part, parts, maxTokens, onChange }: Pick<Preview, 'part' | 'parts' | 'maxTokens'> & { onChange: (part: number) => void }) {
  return (
    <div className="flex items-center gap-2 text-sm">
      <IconButton
        size="small"
        icon={ChevronLeft}
        label="Previous part"
        reason={part === 0 ? 'This is the first part' : null}
        onClick={() => onChange(part - 1)}
      />
      <IconButton
        size="small"
        icon={ChevronRight}
        label="Next part"
        reason={part === parts - 1 ? 'This is the last part' : null}
        onClick={() => onChange(part + 1)}
      />
      <span>
        Part {formatCount(part + 1)} of {formatCount(parts)}
      </span>
      <span className="text-second">Split at {formatCount(maxTokens)} tokens; each answer is trained in one part only.</span>
    </div>
  )
}

function PreviewResult({ preview, boundaries }: { preview: Preview; boundaries: boolean }) {
  const tooMany = (preview.tokens ?? 0) > MAX_TOKENS
  if (preview.refused !== null)
    return (
      <div role="alert" className="rounded border border-bad p-3 text-sm">
        <h3 className="font-semibold">This row cannot be used for training</h3>
        <p className="break-words">{preview.refused}</p>
        <p className="text-xs text-second">Tokenizer: {preview.tokenizer}</p>
      </div>
    )
  return (
    <>
      <dl className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm">
        <Fact name="Tokens" value={formatCount(preview.tokens)} estimate={!preview.exact} />
        <Fact
          name="Trained"
          value={`${formatCount(preview.trained)}${preview.tokens ? ` (${formatPercent((preview.trained ?? 0) / preview.tokens)})` : ''}`}
          estimate={!preview.exact}
        />
        <div className="flex items-center gap-1.5 text-second">
          <dt>Tokenizer</dt>
          <dd>{preview.tokenizer}</dd>
        </div>
        <div className="ml-auto flex items-center gap-2">
          <dt>Token boundaries</dt>
          <dd>
            <Switch
              label="Token boundaries"
              checked={boundaries && !tooMany}
              disabled={tooMany}
              onChange={(on) => usePreviewChoice.setState({ boundaries: on })}
            />
          </dd>
        </div>
      </dl>
      {tooMany ? <p className="text-xs text-second">Token boundaries are shown for up to {formatCount(MAX_TOKENS)} tokens.</p> : null}
      {preview.warnings.length > 0 ? (
        <ul className="flex flex-col gap-1 text-sm">
          {preview.warnings.map((warning) => (
            <li key={warning} className="border-l-4 border-warn pl-2">
              {warning}
            </li>
          ))}
        </ul>
      ) : null}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-second">
        <span>
          <span className={TRAINED}>underlined</span>: trained on; the model learns to write this
        </span>
        <span>plain: context only</span>
      </p>
      <pre
        // a scrolled region must be reachable by keyboard
        tabIndex={0}
        role="region"
        aria-label="Rendered row"
        className="focus-inset max-h-[70vh] overflow-auto rounded border border-line bg-bg p-3 font-mono text-xs leading-[1.7] break-words whitespace-pre-wrap"
      >
        {preview.pieces.map((piece, index) => (
          <PieceText
            // pieces of one preview never move
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            piece={piece}
            single={boundaries && !tooMany}
          />
        ))}
      </pre>
    </>
  )
}

const TRAINED = 'bg-accent/15 underline decoration-accent decoration-2 underline-offset-4'

function PieceText({ piece: { trained, tokens }, single }: { piece: PreviewPiece; single: boolean }) {
  return (
    <span data-trained={trained} className={cn(trained && TRAINED)}>
      {single ? (
        tokens.map((token, index) => (
          <span
            // tokens of one preview never move
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            title={`token ${token.id}`}
            className="outline-1 outline-edge/60 hover:bg-raised hover:outline-accent"
          >
            <Visible text={token.text} />
          </span>
        ))
      ) : (
        <Visible text={tokens.map(({ text }) => text).join('')} />
      )}
    </span>
  )
}

const Fact = ({ name, value, estimate }: { name: string; value: string; estimate: boolean }) => (
  <div className="flex items-center gap-1.5">
    <dt className="text-second">{name}</dt>
    <dd className="font-semibold">{value}</dd>
    {estimate ? (
      <dd>
        <Badge>estimate</Badge>
      </dd>
    ) : null}
  </div>
)
