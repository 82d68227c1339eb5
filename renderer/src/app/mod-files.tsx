import type { ModPreview } from '#contracts/entities/router.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'

/** Files of the mod that a click writes or deletes, whole. */
export const ModFiles = ({ files }: Pick<ModPreview, 'files'>) =>
  files.map(({ path, before, after }) => (
    <details key={path}>
      <summary className="cursor-pointer font-mono text-xs break-all">{path}</summary>
      <CodeBlock text={after ?? before ?? ''} label={path} className="max-h-80" />
    </details>
  ))
