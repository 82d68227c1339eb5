import Markdown, { type Components } from 'react-markdown'
import { OutsideLink } from '#renderer/ui/outside-link.tsx'
import { Visible, visibleMarkdown } from '#renderer/ui/visible.tsx'

/** Links of a transcript ask before they lead out of the app. Images are not loaded: that would be a request. */
const COMPONENTS: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ alt, src }) => (
    <span className="text-second">
      <Visible text={`[image${alt ? `: ${alt}` : ''}${typeof src === 'string' && src ? ` ${src}` : ''}]`} />
    </span>
  ),
  h1: ({ children }) => <p className="mt-2 font-semibold">{children}</p>,
  h2: ({ children }) => <p className="mt-2 font-semibold">{children}</p>,
  h3: ({ children }) => <p className="mt-2 font-semibold">{children}</p>,
  h4: ({ children }) => <p className="mt-2 font-semibold">{children}</p>,
  h5: ({ children }) => <p className="mt-2 font-semibold">{children}</p>,
  h6: ({ children }) => <p className="mt-2 font-semibold">{children}</p>,
  pre: ({ children }) => (
    <pre className="my-1 overflow-x-auto rounded-sm border border-line bg-bg p-2 font-mono text-xs leading-[1.45]">{children}</pre>
  ),
  code: ({ children }) => <code className="font-mono text-[0.92em]">{children}</code>,
  ul: ({ children }) => <ul className="list-disc pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    // wide enough for the first number, because a list may start at any number
    <ol start={start} className="list-decimal" style={{ paddingLeft: `max(1.25rem, ${String(start ?? 1).length + 2}ch)` }}>
      {children}
    </ol>
  ),
}

const VISIBLE = [visibleMarkdown]

/** What the assistant wrote, as Markdown without raw HTML. */
export const Prose = ({ text, truncated }: { text: string; truncated: boolean }) => (
  <div className="flex max-w-[80ch] flex-col gap-2 px-3 py-1 text-base break-words">
    <Markdown components={COMPONENTS} rehypePlugins={VISIBLE}>
      {text}
    </Markdown>
    {truncated ? <ShortenedNote /> : null}
  </div>
)

export const ShortenedNote = () => <p className="text-xs text-second">Shortened here; the rest is in the raw transcript (R).</p>
