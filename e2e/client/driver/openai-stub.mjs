// A scripted, loopback-only stand-in for OpenAI's chat completions and Responses APIs. As with the stub of the Messages API, what it answers
// follows from the request alone: the last user text with SCENARIO=<name> chooses the script, the number of answers after it the step.
import http from 'node:http';
import { randomBytes } from 'node:crypto';

const newId = (prefix) => prefix + randomBytes(11).toString('hex');

/** `scripts`: {name: [{text?, calls?: [{name, input}]}]}, a step may be a function of the folder. `before`: what each answer waits for. */
export async function startOpenaiStub(scripts, { before = async () => {} } = {}) {
  const requests = [];
  const server = http.createServer(async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const entry = { path: req.url, authorization: req.headers.authorization };
    requests.push(entry);
    const answer = ANSWERS[req.url];
    if (req.method !== 'POST' || !answer) return sendJson(res, 404, { error: { type: 'not_found_error', message: 'stub: no such endpoint' } });
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    await before(body);
    const { name, step } = placeIn(answer.turns(body));
    Object.assign(entry, { model: body.model, scenario: name, step });
    const scripted = scripts[name]?.[step] ?? { text: 'Stub reply.' };
    answer.send(res, body, typeof scripted === 'function' ? scripted(cwdIn(body)) : scripted, step);
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    requests,
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}

const ANSWERS = {
  '/v1/chat/completions': {
    turns: ({ messages }) => messages.map(({ role, content }) => ({ isAnswer: role === 'assistant', text: role === 'user' ? textOf(content) : '' })),
    send(res, { model }, { text = '', calls = [] }, step) {
      const send = eventsTo(res);
      const chunk = (more) => send({ id: 'chatcmpl-stub', object: 'chat.completion.chunk', created: 1, model, choices: [], ...more });
      const delta = (value, finish_reason = null) => chunk({ choices: [{ index: 0, delta: value, finish_reason }] });
      delta({ role: 'assistant', content: text });
      for (const [index, { name, input }] of calls.entries())
        delta({ tool_calls: [{ index, id: newId('call_'), type: 'function', function: { name, arguments: JSON.stringify(input) } }] });
      delta({}, calls.length > 0 ? 'tool_calls' : 'stop');
      chunk({ usage: { prompt_tokens: 100 + step, completion_tokens: 5, total_tokens: 105 + step, prompt_tokens_details: { cached_tokens: 10 } } });
      res.end('data: [DONE]\n\n');
    },
  },
  '/v1/responses': {
    // the answers to one message come one after the other as items; a step of a script is one item here
    turns: ({ input }) =>
      input.map(({ type, role, content }) => ({ isAnswer: type === 'function_call', text: type === 'message' && role === 'user' ? textOf(content) : '' })),
    send(res, { model }, { text = '', calls: [call] = [] }, step) {
      const send = eventsTo(res);
      const item = call
        ? { type: 'function_call', id: newId('fc_'), call_id: newId('call_'), name: call.name, arguments: JSON.stringify(call.input), status: 'completed' }
        : { type: 'message', id: newId('msg_'), role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }] };
      const response = { id: newId('resp_'), object: 'response', model, status: 'in_progress', output: [] };
      const usage = { input_tokens: 100 + step, input_tokens_details: { cached_tokens: 10 }, output_tokens: 5, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 105 + step };
      send({ type: 'response.created', response });
      send({ type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } });
      send({ type: 'response.output_item.done', output_index: 0, item });
      send({ type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } });
      res.end();
    },
  },
};

function placeIn(turns) {
  const from = turns.findLastIndex(({ text }) => /\bSCENARIO=[\w-]+/.test(text));
  if (from < 0) return { name: null, step: 0 };
  return { name: /\bSCENARIO=([\w-]+)/.exec(turns[from].text)[1], step: turns.slice(from).filter(({ isAnswer }) => isAnswer).length };
}

// Where the agent says that it works: OpenCode in its system prompt.
const cwdIn = (body) => /Working directory: (.+?)(?:\\n|")/.exec(JSON.stringify(body))?.[1] ?? '.';
const textOf = (content) => (typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n'));

function eventsTo(res) {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  return (event) => res.write(`${event.type ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
}

function sendJson(res, status, value) {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(value));
}
