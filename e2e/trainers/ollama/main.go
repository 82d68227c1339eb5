// Renders templates as Ollama does (Go's text/template; messages of one role are joined, tools and arguments print as JSON without
// spaces). Reads {"template", "messages", "tools"} as JSON lines, and writes one JSON text per line.
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"text/template"
)

type raw json.RawMessage

func (r *raw) UnmarshalJSON(data []byte) error { *r = append((*r)[0:0], data...); return nil }

func (r raw) String() string {
	var out bytes.Buffer
	if err := json.Compact(&out, r); err != nil {
		panic(err)
	}
	return out.String()
}

type call struct {
	Function struct {
		Name      string `json:"name"`
		Arguments raw    `json:"arguments"`
	} `json:"function"`
}

type message struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	Thinking  string `json:"thinking"`
	ToolCalls []call `json:"tool_calls"`
}

type request struct {
	Template string    `json:"template"`
	Messages []message `json:"messages"`
	Tools    []raw     `json:"tools"`
}

func main() {
	lines := json.NewDecoder(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.More() {
		var in request
		if err := lines.Decode(&in); err != nil {
			panic(err)
		}
		var system []string
		var joined []*message
		for i := range in.Messages {
			one := &in.Messages[i]
			if one.Role == "system" {
				system = append(system, one.Content)
			}
			if len(joined) > 0 && joined[len(joined)-1].Role == one.Role && one.Role != "tool" {
				joined[len(joined)-1].Content += "\n\n" + one.Content
			} else {
				joined = append(joined, one)
			}
		}
		asJSON := func(v any) string { b, _ := json.Marshal(v); return string(b) }
		parsed := template.Must(template.New("").Option("missingkey=zero").Funcs(template.FuncMap{"json": asJSON}).Parse(in.Template))
		var text strings.Builder
		values := map[string]any{"System": strings.Join(system, "\n\n"), "Messages": joined, "Tools": in.Tools, "Response": ""}
		if err := parsed.Execute(&text, values); err != nil {
			panic(err)
		}
		if err := out.Encode(text.String()); err != nil {
			panic(err)
		}
	}
}
