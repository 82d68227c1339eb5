import { useState } from 'react'
import { type EnvironmentSnippet, environmentSnippets } from '#contracts/environment-snippets.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'

/** The lines for each trainer, with the address of the server. */
export function Snippets({ address, token }: { address: string; token: string | null }) {
  const [id, choose] = useState<EnvironmentSnippet['id']>('trl')
  const all = environmentSnippets(address, token)
  const { title, install, lines } = all.find((one) => one.id === id)!
  return (
    <div className="flex flex-col gap-3">
      <div className="flex">
        <Segmented label="Trainer" value={id} onChange={choose} options={all.map((one) => ({ id: one.id, label: one.title }))} />
      </div>
      <CodeBlock label={`the installation for ${title}`} text={install} />
      <CodeBlock label={`the lines for ${title}`} text={lines} />
    </div>
  )
}
