import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** Writes the repository of a tiny chat model. It also contains other formats of the weights, and code. */
export function writeHubModel(folder: string): string {
  fs.mkdirSync(path.join(folder, 'onnx'), { recursive: true })
  const write = (name: string, content: string | Buffer) => fs.writeFileSync(path.join(folder, name), content)
  const shape = {
    hidden_size: 64,
    intermediate_size: 128,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    vocab_size: 256,
    max_position_embeddings: 512,
  }
  write('config.json', JSON.stringify({ architectures: ['Qwen2ForCausalLM'], model_type: 'qwen2', ...shape }))
  write('tokenizer.json', '{}')
  write('tokenizer_config.json', '{"padding_side": "left"}')
  write('chat_template.jinja', '{{ messages }}')
  write('LICENSE', 'Apache License')
  write('README.md', '---\nlicense: apache-2.0\n---\n# Tiny\n')
  write('model.safetensors', safetensors({ 'model.layers.0.self_attn.q_proj.weight': [64, 64], 'model.embed_tokens.weight': [256, 64] }))
  write('model.fp16.safetensors', randomBytes(5000))
  write('pytorch_model.bin', randomBytes(5000))
  write('modeling_tiny.py', 'print("code")\n')
  write('.gitattributes', '')
  write('onnx/model.onnx', randomBytes(5000))
  return folder
}

/** A file of these matrices (F32) with random numbers. */
function safetensors(shapes: Readonly<Record<string, readonly [number, number]>>): Buffer {
  let end = 0
  const entries = Object.entries(shapes).map(([name, shape]) => {
    const from = end
    end += shape[0] * shape[1] * 4
    return [name, { dtype: 'F32', shape, data_offsets: [from, end] }] as const
  })
  const header = Buffer.from(JSON.stringify(Object.fromEntries(entries)))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  return Buffer.concat([length, header, randomBytes(end)])
}
