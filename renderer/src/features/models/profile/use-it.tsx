import type { Model } from '#contracts/entities/model.ts'
import { modelHref } from '#renderer/app/links.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { weightsProblem } from '../words.ts'
import { commandsOf } from './commands.ts'

/** Commands to copy that run the model in other programs. */
export function UseIt({ model }: { model: Model }) {
  const commands = commandsOf(model)
  const problem = weightsProblem(model)
  return (
    <Section title="Usage" note="Commands to copy; each serves an OpenAI-compatible API">
      {commands.length === 0 ? (
        problem !== null ? (
          <p className="max-w-[80ch] text-sm text-second">{problem} If you cannot, start its run again.</p>
        ) : (
          <p className="max-w-[80ch] text-sm text-second">
            Other programs cannot load it yet: export a GGUF for llama.cpp and LM Studio, or an Ollama model. To talk to it here, no export
            is needed: <TextLink href={`${modelHref(model.id)}/try`}>try it</TextLink>.
          </p>
        )
      ) : null}
      {commands.map(({ id, label, text }) => (
        <div key={id} className="grid items-start gap-x-4 gap-y-1 md:grid-cols-[10rem_minmax(0,1fr)]">
          <span className="pt-2 text-sm text-second">{label}</span>
          <CodeBlock label={`the command for ${label}`} text={text} wrap />
        </div>
      ))}
    </Section>
  )
}
