import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '#renderer/ui/button.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'

interface State {
  error: unknown
  resetKey: string
}

/** A screen that breaks must not take the shell with it. `resetKey`: a change (another page) tries again. */
export class ErrorBoundary extends Component<{ children: ReactNode; resetKey: string }, State> {
  override state: State = { error: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error }
  }

  static getDerivedStateFromProps({ resetKey }: { resetKey: string }, state: State): State | null {
    return resetKey === state.resetKey ? null : { error: null, resetKey }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    // The one place where the page writes to the console: a bug report needs the component stack.
    // oxlint-disable-next-line no-console
    console.error(error, info.componentStack)
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <div className="p-6">
        <ErrorState
          title="This screen stopped because of a bug"
          error={this.state.error}
          retry={() => this.setState({ error: null })}
          action={<Button onClick={() => location.reload()}>Reload the page</Button>}
        />
      </div>
    )
  }
}
