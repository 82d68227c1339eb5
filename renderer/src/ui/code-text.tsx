/** A sentence in which `parts in backticks` are shown as code. */
export const CodeText = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one sentence never move
      <code key={index} className="font-mono text-[0.95em]">
        {part}
      </code>
    ) : (
      part
    ),
  )
