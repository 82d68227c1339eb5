import { Copy, Download } from 'lucide-react'
import { useState } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import type { Model } from '#contracts/entities/model.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { OutsideLink } from '#renderer/ui/outside-link.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { saveFile } from '#renderer/ui/save-file.ts'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { copyText } from '#renderer/ui/copy-text.ts'
import { useCard } from '../queries.ts'

const VIEWS = [
  { id: 'read', label: 'Formatted' },
  { id: 'text', label: 'Markdown' },
] as const

/** The model card, formatted as on the Hugging Face Hub or as Markdown text. */
export default function Card({ model }: { model: Model }) {
  const card = useCard(model.id)
  const [view, setView] = useState<(typeof VIEWS)[number]['id']>('read')
  if (card.error && !card.data)
    return <ErrorState className="m-6" title="Couldn't write the model card" error={card.error} retry={() => void card.refetch()} />
  if (!card.data)
    return (
      <Loading label="Loading the model card" className="flex flex-col gap-3 p-6">
        <Skeleton className="h-8 w-64" />
        <Skeleton className="h-96 max-w-[900px]" />
      </Loading>
    )
  const { markdown } = card.data
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-[980px] flex-col gap-4 px-6 py-5">
        <div className="flex flex-wrap items-center gap-2">
          <Segmented label="View of the card" value={view} options={VIEWS} onChange={setView} />
          <span className="flex-1" />
          <Button icon={Copy} onClick={() => void copyText(markdown)}>
            Copy
          </Button>
          <Button icon={Download} onClick={() => saveFile('README.md', new Blob([markdown], { type: 'text/markdown' }))}>
            Download
          </Button>
        </div>
        {view === 'text' ? (
          <CodeBlock label="the model card" text={markdown} wrap />
        ) : (
          <article aria-label="Model card" className="flex flex-col gap-3 text-base">
            <Markdown remarkPlugins={[remarkGfm]} components={COMPONENTS}>
              {withoutHead(markdown)}
            </Markdown>
          </article>
        )}
      </div>
    </div>
  )
}

/** Removes the YAML header, which is only for programs. */
const withoutHead = (markdown: string): string => markdown.replace(/^---\n[\s\S]*?\n---\n/, '').replaceAll(/<\/?(?:details|summary)>/g, '')

/** Omits the first heading, because the page already has the model's name as its heading. */
const COMPONENTS: Components = {
  h1: () => null,
  h2: ({ children }) => <h2 className="pt-2 text-lg font-semibold">{children}</h2>,
  h3: ({ children }) => <h3 className="pt-2 text-base font-semibold">{children}</h3>,
  p: ({ children }) => <p className="max-w-[80ch]">{children}</p>,
  ul: ({ children }) => <ul className="max-w-[80ch] list-disc pl-5">{children}</ul>,
  a: ({ children, href }) => <OutsideLink href={href}>{children}</OutsideLink>,
  code: ({ children }) => <code className="font-mono text-[0.92em] break-all">{children}</code>,
  pre: ({ children }) => (
    // the block scrolls, so it must be reachable by keyboard
    <pre
      tabIndex={0}
      role="region"
      aria-label="Text of the card"
      className="focus-inset max-h-96 overflow-auto rounded border border-line bg-bg p-3 font-mono text-xs leading-[1.45] [&_code]:break-normal"
    >
      {children}
    </pre>
  ),
  table: ({ children }) => (
    <div className="relative overflow-x-auto">
      <table className="border-collapse text-sm [&_td]:border-b [&_td]:border-line [&_td]:py-1.5 [&_td]:pr-6 [&_td]:align-top [&_th]:border-b [&_th]:border-line [&_th]:py-1.5 [&_th]:pr-6 [&_th]:text-left [&_th]:font-normal [&_th]:text-second [&_th:empty]:p-0">
        {children}
      </table>
    </div>
  ),
}
