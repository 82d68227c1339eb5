import type { TelemetryVariable } from '#contracts/entities/telemetry.ts'

/** What makes Claude Code send its telemetry here, and what each variable adds to it. */
export function variablesOf(address: string, token: string): TelemetryVariable[] {
  const needed = (name: string, value: string, reveals: string) => ({ name, value, reveals, isContent: false })
  const content = (name: string, value: string, reveals: string) => ({ name, value, reveals, isContent: true })
  return [
    needed('CLAUDE_CODE_ENABLE_TELEMETRY', '1', 'Nothing by itself: it switches telemetry on.'),
    needed('CLAUDE_CODE_ENHANCED_TELEMETRY_BETA', '1', 'Lets it send spans.'),
    needed(
      'OTEL_TRACES_EXPORTER',
      'otlp',
      'Spans: model, tokens, tools, times, success, ids of session and request, a hash of your user id.',
    ),
    needed('OTEL_LOGS_EXPORTER', 'otlp', 'Its own cost of each request; also names of plugins and hooks.'),
    needed('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf', 'How it is sent. http/json works, too.'),
    needed('OTEL_EXPORTER_OTLP_ENDPOINT', address, 'Where it is sent: this machine only.'),
    needed('OTEL_EXPORTER_OTLP_HEADERS', `x-bashgym-token=${token}`, 'The token without which nothing is taken here.'),
    content('OTEL_LOG_USER_PROMPTS', '1', 'Your prompts. The first line becomes the title of the trace.'),
    content('OTEL_LOG_TOOL_DETAILS', '1', 'Commands, file names and arguments of tools. Commands become labels of spans.'),
    content('OTEL_LOG_ASSISTANT_RESPONSES', '1', 'The text of answers. Bash Gym does not store it.'),
    content('OTEL_LOG_RAW_API_BODIES', '1', 'Whole requests and answers. Bash Gym does not store them.'),
  ]
}
