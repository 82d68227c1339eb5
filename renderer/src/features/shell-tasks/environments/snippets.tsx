import { useState } from 'react'
import { type EnvironmentSnippet, environmentSnippets } from './environment-snippets.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'

/** Code to use a server from each trainer. */
export function Snippets({ address, token }: { address: string; token: string }) {
  const [id, setId] = useState<EnvironmentSnippet['id']>('trl')
  const all = environmentSnippets(address, token)
  const { title, install, lines } = all.find((one) => one.id === id)!
  return (
    <div className="flex flex-col gap-3">
      <div className="flex">
        <Segmented label="Trainer" value={id} onChange={setId} options={all.map((one) => ({ id: one.id, label: one.title }))} />
      </div>
      <CodeBlock label={`the installation for ${title}`} text={install} />
      <CodeBlock label={`the lines for ${title}`} text={lines} />
    </div>
  )
}
