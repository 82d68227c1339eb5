import type { MatrixValue } from '#contracts/entities/matrix-values.ts'
import { useModelWord } from '#renderer/app/words/models.ts'
import { DASH } from '#renderer/ui/format.ts'

const MODEL_AXIS = 'baseModel'

/** "Learning rate" for `learningRate`, "Rank" for `method.rank`. Importing the form's labels would load the whole form. */
export function labelOf(path: string): string {
  const words = path.slice(path.lastIndexOf('.') + 1).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function useValueWord(): (path: string, value: MatrixValue | undefined) => string {
  const modelWord = useModelWord()
  return (path, value) =>
    path === MODEL_AXIS
      ? modelWord(String(value))
      : Array.isArray(value)
        ? value.join(', ')
        : value === undefined
          ? DASH
          : String(value ?? 'none')
}
