/** Code for using an environment server from another trainer; a test runs each snippet. */
export interface EnvironmentSnippet {
  id: 'trl' | 'verifiers' | 'art' | 'gymnasium'
  title: string
  /** The command that installs what it needs. */
  install: string
  lines: string
}

const TASK = 'Write the number of lines of /etc/passwd into /root/lines.'
const CHECK = '[ "$(cat /root/lines)" = "$(wc -l < /etc/passwd)" ]'

/** `ADDRESS` and `TOKEN` are placeholders. */
const SNIPPETS: readonly EnvironmentSnippet[] = [
  {
    id: 'trl',
    title: 'TRL',
    install: 'pip install trl jmespath ./python/bashgym',
    lines: `from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from bashgym.trl import environment_reward, terminal_environment

rows = [{"prompt": [{"role": "user", "content": "${TASK}"}], "verify": '${CHECK}'}]
trainer = GRPOTrainer(
    model="Qwen/Qwen3-0.6B",
    reward_funcs=environment_reward,
    environment_factory=terminal_environment("ADDRESS", "TOKEN"),
    train_dataset=Dataset.from_list(rows),
    args=GRPOConfig(output_dir="run", max_steps=10, num_generations=8, max_completion_length=512),
)
trainer.train()
`,
  },
  {
    id: 'verifiers',
    title: 'verifiers',
    install: "pip install './python/bashgym[verifiers]'",
    lines: `import verifiers as vf

environment = vf.load_environment(
    "bashgym",
    url="ADDRESS",
    token="TOKEN",
    tasks=[{"question": "${TASK}", "info": {"verify": '${CHECK}'}}],
    max_turns=10,
)
`,
  },
  {
    id: 'art',
    title: 'ART',
    install: "pip install openpipe-art 'openai<3' ./python/bashgym",
    lines: `import art

from bashgym.client import EnvironmentClient
from bashgym.terminus import TerminusSessionFactory

sessions = TerminusSessionFactory(lambda: EnvironmentClient("ADDRESS", token="TOKEN"))


async def rollout(model: art.Model) -> art.Trajectory:
    session = sessions.create({"task": "${TASK}", "verify": '${CHECK}'})
    trajectory = art.Trajectory(messages_and_choices=session.initial_messages(), reward=0)
    try:
        for _ in range(10):
            completion = await model.openai_client().chat.completions.create(model=model.name, messages=trajectory.messages())
            trajectory.messages_and_choices.append(completion.choices[0])
            result = session.call_text(completion.choices[0].message.content or "")
            if result.done:
                break
            trajectory.messages_and_choices.append({"role": "user", "content": result.data["output"]})
        else:
            session.call_tool("terminal", {"final_answer": "(none)"})  # checked as it is
        reward = session.verify().env_reward
        if reward is None:
            raise RuntimeError("The environment gave no reward.")  # an exception of the group: ART trains nothing on it
        trajectory.reward = reward
    finally:
        session.close()
    return trajectory
`,
  },
  {
    id: 'gymnasium',
    title: 'Gymnasium',
    install: "pip install './python/bashgym[gym]'",
    lines: `import gymnasium

import bashgym.gym

env = gymnasium.make("BashGym-v0", url="ADDRESS", token="TOKEN")
observation, info = env.reset(options={"task": "${TASK}", "verify": '${CHECK}'})
observation, reward, terminated, truncated, info = env.step("wc -l < /etc/passwd > /root/lines")
observation, reward, terminated, truncated, info = env.step('{"action_type": "submit"}')
print(info["verified"], info["episode_reward"])
env.close()
`,
  },
]

/** Inserts the server's address and its token. */
export const environmentSnippets = (address: string, token: string): EnvironmentSnippet[] =>
  SNIPPETS.map((one) => ({
    ...one,
    lines: one.lines.replaceAll('ADDRESS', address).replaceAll('"TOKEN"', `"${token}"`),
  }))
