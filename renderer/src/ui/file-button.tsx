import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { Button, type ButtonProps } from './button.tsx'

/** A button that lets the user choose files. The same file can be chosen again. */
export function FileButton({
  inputLabel,
  accept,
  multiple = false,
  onFiles,
  ...button
}: Omit<ButtonProps, 'icon' | 'onClick'> & {
  /** Accessible name of the hidden field. */
  inputLabel: string
  accept?: string
  multiple?: boolean
  onFiles: (files: readonly File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} icon={Upload} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        className="hidden"
        aria-label={inputLabel}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}
