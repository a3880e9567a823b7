import type { Dialect, Verdict } from '../../../src/model/text-calls/types.ts'

/** An output written by hand, and what must come of it: verdict, tool, arguments of each call. */
export interface Wild {
  id: string
  text: string
  dialect?: Dialect
  native?: boolean
  /** Whether the server said that the answer was cut at its limit; absent: it said nothing. */
  cut?: boolean
  calls: [verdict: Verdict, tool: string | undefined, args?: Record<string, unknown>][]
}

const FENCE = '```'

/** Habits of particular models and servers, one by one. */
export const wild: readonly Wild[] = [
  // Tags with JSON.
  {
    id: 'opening tag lost with the special tokens',
    text: '{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'closed by an opening tag',
    text: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n<tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'two calls in one tag',
    text: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n{"name": "git_status", "arguments": {}}\n</tool_call>',
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['call', 'git_status', {}],
    ],
  },
  {
    id: 'a list in a tag',
    text: '<tool_call>[{"name": "read_file", "arguments": {"path": "a.ts"}}, {"name": "git_status", "arguments": {}}]</tool_call>',
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['call', 'git_status', {}],
    ],
  },
  {
    id: 'first of two tags not closed',
    text: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n<tool_call>\n{"name": "read_file", "arguments": {"path": "b.ts"}}\n</tool_call>',
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['call', 'read_file', { path: 'b.ts' }],
    ],
  },
  {
    id: 'code block in a tag',
    text: `<tool_call>\n${FENCE}json\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n${FENCE}\n</tool_call>`,
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'tag in a code block',
    text: `${FENCE}xml\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tool_call>\n${FENCE}`,
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'tags around a list of tags',
    text: '<tool_calls>\n<tool_call>{"name": "git_status", "arguments": {}}</tool_call>\n<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>\n</tool_calls>',
    calls: [
      ['call', 'git_status', {}],
      ['call', 'read_file', { path: 'a.ts' }],
    ],
  },
  {
    id: 'name as an attribute, JSON inside',
    text: '<tool_call name="read_file">{"path": "a.ts"}</tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'arguments beside the name',
    text: '<tool_call>{"name": "read_file", "path": "a.ts", "start_line": 3}</tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts', start_line: 3 }]],
  },
  {
    id: 'tool as the only key',
    text: '<tool_call>{"read_file": {"path": "a.ts"}}</tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'a name and nothing else',
    text: '<tool_call>{"name": "git_status"}</tool_call>',
    calls: [['call', 'git_status', {}]],
  },
  {
    id: 'name and arguments as tags around each other',
    text: '<tool_call>\n<tool_name>read_file</tool_name>\n<parameters>\n<path>a.ts</path>\n<start_line>2</start_line>\n</parameters>\n</tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts', start_line: 2 }]],
  },
  {
    id: 'JSON broken beyond repair in a tag is a fault, not text',
    text: '<tool_call>\n{"name": "shell_exec", "arguments": {"command": "echo "hi""}}\n</tool_call>',
    calls: [['fault', 'shell_exec']],
  },
  {
    id: 'a string that swallows the end of its call is a fault',
    text: '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts}}</tool_call>',
    calls: [['fault', 'read_file']],
  },
  { id: 'an empty tag is a fault', text: '<tool_call>\n</tool_call>', calls: [['fault', undefined]] },
  { id: 'an opening tag and the end', text: '<tool_call>\n', calls: [['cut', undefined]] },
  {
    id: 'unknown tool in a tag',
    text: '<tool_call>{"name": "launch_rocket", "arguments": {"to": "moon"}}</tool_call>',
    calls: [['fault', undefined]],
  },
  {
    id: 'required argument missing',
    text: '<tool_call>{"name": "read_file", "arguments": {"start_line": 1}}</tool_call>',
    calls: [['fault', 'read_file']],
  },
  {
    id: 'argument of a type that cannot be read',
    text: '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts", "start_line": "first"}}</tool_call>',
    calls: [['fault', 'read_file']],
  },
  {
    id: 'unknown argument of a tool that runs is a fault',
    text: '<tool_call>{"name": "shell_exec", "arguments": {"command": "rm -r build", "dry_run": true}}</tool_call>',
    calls: [['fault', 'shell_exec']],
  },
  {
    id: 'a remark beside a command is left out',
    text: '<tool_call>{"name": "bash", "arguments": {"command": "npm test", "description": "Runs the tests"}}</tool_call>',
    calls: [['call', 'shell_exec', { command: 'npm test' }]],
  },
  {
    id: 'misspelt write tool whose arguments do not fit',
    text: '<tool_call>{"name": "write_fle", "arguments": {"path": "a.ts"}}</tool_call>',
    calls: [['fault', undefined]],
  },
  {
    id: 'misspelt write tool whose arguments fit',
    text: '<tool_call>{"name": "write_fle", "arguments": {"path": "a.ts", "content": "x"}}</tool_call>',
    calls: [['call', 'write_file', { path: 'a.ts', content: 'x' }]],
  },
  {
    id: 'misspelt command tool with an argument of another name',
    text: '<tool_call>{"name": "shell_exe", "arguments": {"cmd": "ls"}}</tool_call>',
    calls: [['fault', undefined]],
  },
  {
    id: 'short names are not corrected',
    text: '<tool_call>{"name": "lsx", "arguments": {"path": "."}}</tool_call>',
    calls: [['fault', undefined]],
  },
  {
    id: 'the same id twice',
    text: '<tool_call>{"id": "call_1", "name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>\n<tool_call>{"id": "call_1", "name": "read_file", "arguments": {"path": "b.ts"}}</tool_call>',
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['call', 'read_file', { path: 'b.ts' }],
    ],
  },
  {
    id: 'an array of edits in an argument',
    text: '<tool_call>{"name": "plan_update", "arguments": {"items": "[{\\"text\\": \\"a\\", \\"state\\": \\"open\\"}]"}}</tool_call>',
    calls: [['call', 'plan_update', { items: [{ text: 'a', state: 'open' }] }]],
  },
  {
    id: 'one item instead of a list of one',
    text: '<tool_call>{"name": "plan_update", "arguments": {"items": {"text": "a", "state": "Open"}}}</tool_call>',
    calls: [['call', 'plan_update', { items: [{ text: 'a', state: 'open' }] }]],
  },
  {
    id: 'backslashes that were not doubled',
    text: '<tool_call>{"name": "search_text", "arguments": {"query": "\\d+\\.\\w", "regex": true}}</tool_call>',
    calls: [['call', 'search_text', { query: '\\d+\\.\\w', regex: true }]],
  },
  {
    id: 'typographic quotes',
    text: '<tool_call>{“name”: “read_file”, “arguments”: {“path”: “a.ts”}}</tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'three quotes around a text',
    text: '<tool_call>{"name": "write_file", "arguments": {"path": "a.py", "content": """def f():\n    return "x"\n"""}}</tool_call>',
    calls: [['call', 'write_file', { path: 'a.py', content: 'def f():\n    return "x"\n' }]],
  },
  {
    id: 'comma missing between arguments',
    text: '<tool_call>{"name": "read_file" "arguments": {"path": "a.ts"\n"start_line": 3}}</tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts', start_line: 3 }]],
  },
  {
    id: 'a list whose bracket is missing inside',
    text: '<tool_call>{"name": "plan_update", "arguments": {"items": [{"text": "a", "state": "open"}}}</tool_call>',
    calls: [['call', 'plan_update', { items: [{ text: 'a', state: 'open' }] }]],
  },
  // Cut off.
  {
    id: 'a read cut in its path still reads, and says that it was cut',
    text: '<tool_call>{"name": "read_file", "arguments": {"path": "src/app.t',
    cut: true,
    calls: [['call', 'read_file', { path: 'src/app.t' }]],
  },
  {
    id: 'a write cut in its text is not run',
    text: '<tool_call>{"name": "write_file", "arguments": {"path": "a.ts", "content": "export const a',
    cut: true,
    calls: [['cut', 'write_file', { path: 'a.ts', content: 'export const a' }]],
  },
  {
    id: 'a write of HTML cut in its text is not run',
    text: '{"name": "write_file", "arguments": {"path": "a.html", "content": "<p>Hello</p>\\n<div',
    cut: true,
    calls: [['cut', 'write_file', { path: 'a.html', content: '<p>Hello</p>\n<div' }]],
  },
  {
    id: 'a command cut before its end is not run',
    text: '{"name": "shell_exec", "arguments": {"command": "rm -rf /tmp/bui',
    calls: [['cut', 'shell_exec', { command: 'rm -rf /tmp/bui' }]],
  },
  {
    id: 'a command whose closing brackets alone are missing is not run either',
    text: '{"name": "shell_exec", "arguments": {"command": "rm -rf /tmp/build"',
    calls: [['cut', 'shell_exec', { command: 'rm -rf /tmp/build' }]],
  },
  {
    id: 'closing brackets alone are missing, and the model ended its answer itself: a slip',
    text: '{"name": "shell_exec", "arguments": {"command": "npm test"',
    cut: false,
    calls: [['call', 'shell_exec', { command: 'npm test' }]],
  },
  {
    id: 'a text is open, though the model ended its answer itself',
    text: '{"name": "write_file", "arguments": {"path": "a.ts", "content": "export',
    cut: false,
    calls: [['cut', 'write_file', { path: 'a.ts', content: 'export' }]],
  },
  {
    id: 'a comma stands at the end, though the model ended its answer itself',
    text: '{"name": "write_file", "arguments": {"path": "a.ts", "content": "export",',
    cut: false,
    calls: [['cut', 'write_file', { path: 'a.ts', content: 'export' }]],
  },
  {
    id: 'a number at the end of an answer that the model ended itself is whole',
    text: '{"name": "read_file", "arguments": {"path": "a.ts", "start_line": 12',
    cut: false,
    calls: [['call', 'read_file', { path: 'a.ts', start_line: 12 }]],
  },
  {
    id: 'a read whose open path took in what followed it is not run',
    text: '<tool_call>{"name": "read_file", "arguments": {"path": "src/app.ts\n\nThen I go on.',
    calls: [['cut', 'read_file', { path: 'src/app.ts\n\nThen I go on.' }]],
  },
  {
    id: 'a number at the end may have been cut and is left out',
    text: '{"name": "read_file", "arguments": {"path": "a.ts", "start_line": 1',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'a key at the end is left out',
    text: '{"name": "read_file", "arguments": {"path": "a.ts", "start_',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'a write cut before an argument it needs',
    text: '<function=write_file>\n<parameter=path>\na.ts\n</parameter>\n',
    cut: true,
    calls: [['cut', 'write_file']],
  },
  {
    id: 'a write cut inside a parameter',
    text: '<tool_call>\n<function=write_file>\n<parameter=path>\na.ts\n</parameter>\n<parameter=content>\nline 1\nlin',
    calls: [['cut', 'write_file', { path: 'a.ts', content: 'line 1\nlin' }]],
  },
  {
    id: 'all parameters closed, the tags around them not, at the server’s limit',
    text: '<function=shell_exec>\n<parameter=command>\nls\n</parameter>',
    cut: true,
    calls: [['cut', 'shell_exec', { command: 'ls' }]],
  },
  {
    id: 'all parameters closed, the tags around them not, ended by the model',
    text: '<function=shell_exec>\n<parameter=command>\nls\n</parameter>',
    calls: [['call', 'shell_exec', { command: 'ls' }]],
  },
  {
    id: 'the name itself cut',
    text: '<tool_call>{"name": "git_sta',
    cut: true,
    calls: [['cut', undefined]],
  },
  {
    id: 'an attribute cut',
    text: '<write_file path="a.ts" content="export',
    cut: true,
    calls: [['cut', 'write_file']],
  },
  // Qwen3-coder and other parameters as tags.
  {
    id: 'parameters that are not closed',
    text: '<tool_call>\n<function=read_file>\n<parameter=path>\na.ts\n<parameter=start_line>\n3\n</function>\n</tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts', start_line: 3 }]],
  },
  {
    id: 'function tag without its opening wrapper but with the closing one',
    text: '<function=read_file>\n<parameter=path>\na.ts\n</parameter>\n</function>\n</tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'no closing tag of the function inside the wrapper',
    text: '<tool_call>\n<function=git_status>\n</tool_call>',
    calls: [['call', 'git_status', {}]],
  },
  {
    id: 'a text with the very tags in it',
    text: '<function=write_file>\n<parameter=path>\ndoc.md\n</parameter>\n<parameter=content>\nUse </parameter> to close and <parameter=x> to open.\n</parameter>\n</function>',
    calls: [
      ['call', 'write_file', { path: 'doc.md', content: 'Use </parameter> to close and <parameter=x> to open.' }],
    ],
  },
  {
    id: 'code with generics and JSX stays as it is',
    text: '<function=edit_file>\n<parameter=path>\na.tsx\n</parameter>\n<parameter=old_text>\n  const x: Map<string, A<B>> = y\n</parameter>\n<parameter=new_text>\n  return <Box a="1">{x < 3 && y}</Box>\n</parameter>\n</function>',
    calls: [
      [
        'call',
        'edit_file',
        {
          path: 'a.tsx',
          old_text: '  const x: Map<string, A<B>> = y',
          new_text: '  return <Box a="1">{x < 3 && y}</Box>',
        },
      ],
    ],
  },
  {
    id: 'indentation and blank lines of a text are kept',
    text: '<function=edit_file>\n<parameter=path>a.py</parameter>\n<parameter=old_text>\n\n    a = 1\n\n</parameter>\n<parameter=new_text>\n    a = 2\n</parameter>\n</function>',
    calls: [['call', 'edit_file', { path: 'a.py', old_text: '\n    a = 1\n', new_text: '    a = 2' }]],
  },
  {
    id: 'prose after a closing tag makes the value unclear: a fault',
    text: '<function=read_file>\n<parameter=path>a.ts</parameter> I read this file.\n</function>',
    calls: [['fault', 'read_file']],
  },
  {
    id: 'JSON inside the function tag',
    text: '<function=read_file>{"path": "a.ts"}</function><|eom_id|>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'quoted function name',
    text: '<function="read_file"><parameter="path">a.ts</parameter></function>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'namespaced tags',
    text: '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a.ts</parameter>\n</invoke>\n</minimax:tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'a JSON list in a parameter',
    text: '<function=git_commit>\n<parameter=message>\nfix\n</parameter>\n<parameter=files>\n["a.ts", "b.ts"]\n</parameter>\n</function>',
    calls: [['call', 'git_commit', { message: 'fix', files: ['a.ts', 'b.ts'] }]],
  },
  {
    id: 'a repeated parameter is a list',
    text: '<invoke name="git_commit"><parameter name="message">fix</parameter><parameter name="files">a.ts</parameter><parameter name="files">b.ts</parameter></invoke>',
    calls: [['call', 'git_commit', { message: 'fix', files: ['a.ts', 'b.ts'] }]],
  },
  {
    id: 'a path given twice is a fault',
    text: '<invoke name="read_file"><parameter name="path">a.ts</parameter><parameter name="path">b.ts</parameter></invoke>',
    calls: [['fault', 'read_file']],
  },
  {
    id: 'a whole JSON call inside a named tag',
    text: '<invoke name="read_file">{"name": "read_file", "arguments": {"path": "a.ts"}}</invoke>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  { id: 'a tool as an empty element', text: '<git_status/>', calls: [['call', 'git_status', {}]] },
  {
    id: 'a tool as an element with nothing in it',
    text: '<git_status></git_status>',
    calls: [['call', 'git_status', {}]],
  },
  {
    id: 'an element with attributes',
    text: '<read_file path="src/a &amp; b.ts" start_line="2" />',
    calls: [['call', 'read_file', { path: 'src/a & b.ts', start_line: 2 }]],
  },
  {
    id: 'a command as an element’s text',
    text: '<bash>npm test</bash>',
    calls: [['call', 'shell_exec', { command: 'npm test' }]],
  },
  {
    id: 'a character section',
    text: '<write_file><path>a.html</path><content><![CDATA[<p>a</p>]]></content></write_file>',
    calls: [['call', 'write_file', { path: 'a.html', content: '<p>a</p>' }]],
  },
  {
    id: 'wrapped path',
    text: '<read_file>\n<path>\n  src/a.ts\n</path>\n</read_file>',
    calls: [['call', 'read_file', { path: 'src/a.ts' }]],
  },
  {
    id: 'a wrong argument in an element of a tool is a fault, not text',
    text: '<read_file><title>x</title></read_file>',
    calls: [['fault', 'read_file']],
  },
  {
    id: 'an element opened within itself and never closed',
    text: '<read_file><path><read_file><path>a.ts',
    calls: [['fault', 'read_file']],
  },
  {
    id: 'key and value as text in an element are a fault',
    text: '<read_file>\npath: a.ts\n</read_file>',
    calls: [['fault', 'read_file']],
  },
  {
    id: 'calls in the tags that tools were shown in',
    text: '<tools>\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n</tools>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'the bracket of the function tag forgotten',
    text: '<function=read_file{"path": "a.ts"}</function>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'one more call opened and nothing after it',
    text: '<tool_call>{"name": "git_status", "arguments": {}}</tool_call>\n<tool_call>\n',
    calls: [['call', 'git_status', {}]],
  },
  {
    id: 'one more call opened where the answer was cut',
    text: '<tool_call>{"name": "git_status", "arguments": {}}</tool_call>\n<tool_call>\n',
    cut: true,
    calls: [
      ['call', 'git_status', {}],
      ['cut', undefined],
    ],
  },
  {
    id: 'prose within the tags after the call is a fault',
    text: '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}} I read it now.</tool_call>',
    calls: [['fault', 'read_file']],
  },
  {
    id: 'name and arguments as lines between the tags: a fault, not text',
    text: '<tool_call>\nThe tool: read_file\nwith {"path": "a.ts"}\n</tool_call>',
    calls: [['fault', 'read_file']],
  },
  {
    id: 'the tool in a tag of its own',
    text: '<tool_call>\n<tool>read_file</tool>\n<path>a.ts</path>\n</tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'the function in a tag of its own',
    text: '<tool_call>\n<function>read_file</function>\n<parameters>{"path": "a.ts"}</parameters>\n</tool_call>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'a whole message of a server',
    text: '{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "read_file", "arguments": "{\\"path\\": \\"a.ts\\"}"}}]}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'comma missing between calls of a list',
    text: '[{"name": "read_file", "arguments": {"path": "a.ts"}}\n{"name": "git_status", "arguments": {}}]',
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['call', 'git_status', {}],
    ],
  },
  {
    id: 'arguments called name and id, as attributes',
    text: '<tool_call tool="get_function" path="a.ts" name="main"/><invoke name="shell_stop" id="bg-1"/>',
    calls: [
      ['call', 'get_function', { path: 'a.ts', name: 'main' }],
      ['call', 'shell_stop', { id: 'bg-1' }],
    ],
  },
  {
    id: 'arguments called name and id, as tags',
    text: '<tool_call>\n<name>get_function</name>\n<arguments>\n<path>a.ts</path>\n<name>main</name>\n</arguments>\n</tool_call><invoke name="shell_stop"><id>bg-1</id></invoke>',
    calls: [
      ['call', 'get_function', { path: 'a.ts', name: 'main' }],
      ['call', 'shell_stop', { id: 'bg-1' }],
    ],
  },
  {
    id: 'arguments called name and id, beside the tool',
    text: '{"tool": "get_function", "path": "a.ts", "name": "main"}\n{"tool": "shell_stop", "id": "bg-1"}',
    calls: [
      ['call', 'get_function', { path: 'a.ts', name: 'main' }],
      ['call', 'shell_stop', { id: 'bg-1' }],
    ],
  },
  // Special tokens.
  {
    id: 'Llama’s form of its built-in tools',
    text: '<|python_tag|>read_file.call(path="a.ts")<|eom_id|>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'a mark that is closed again',
    text: '[TOOL_CALL]{"name": "read_file", "arguments": {"path": "a.ts"}}[/TOOL_CALL]',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'the opening of the turn written once more',
    text: '<|im_start|>assistant\n<tool_call>{"name": "git_status", "arguments": {}}</tool_call><|im_end|>',
    calls: [['call', 'git_status', {}]],
  },
  {
    id: 'Llama’s opening of the turn',
    text: '<|start_header_id|>assistant<|end_header_id|>\n\n{"name": "git_status", "parameters": {}}<|eot_id|>',
    calls: [['call', 'git_status', {}]],
  },
  {
    id: 'a prefix that says call',
    text: '<|tool_call|>call:read_file{path: "a.ts"}<|/tool_call|>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'tool and arguments on two lines',
    text: 'Tool: read_file\nArguments: {"path": "a.ts"}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'a name and its object in a block that says tool',
    text: `${FENCE}tool\nread_file\n{"path": "a.ts"}\n${FENCE}`,
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'Liquid',
    text: '<|tool_call_start|>[read_file(path="a.ts")]<|tool_call_end|>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'Apertus',
    text: '<|tools_prefix|>[{"read_file": {"path": "a.ts"}}]<|tools_suffix|>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'Mistral with an id',
    text: '[TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "a.ts"}, "id": "D681PevKs"}]</s>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'Mistral with call id and ARGS',
    text: '[TOOL_CALLS]read_file[CALL_ID]abc123[ARGS]{"path": "a.ts"}[TOOL_CALLS]git_status[CALL_ID]abc124[ARGS]{}',
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['call', 'git_status', {}],
    ],
  },
  {
    id: 'Mistral with the name right before the object',
    text: '[TOOL_CALLS]read_file{"path": "a.ts"}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'Llama with a built-in call',
    text: '<|python_tag|>read_file(path="a.ts")<|eom_id|>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'Llama without its tag',
    text: '{"type": "function", "name": "read_file", "parameters": {"path": "a.ts", "start_line": "5"}}',
    calls: [['call', 'read_file', { path: 'a.ts', start_line: 5 }]],
  },
  {
    id: 'two objects with a semicolon',
    text: '{"name": "read_file", "parameters": {"path": "a.ts"}}; {"name": "git_status", "parameters": {}}',
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['call', 'git_status', {}],
    ],
  },
  {
    id: 'DeepSeek with thinking before',
    text: '<think>\nRead it.\n</think>\n\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "a.ts"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'DeepSeek in ASCII',
    text: '<|tool_calls_begin|><|tool_call_begin|>read_file<|tool_sep|>{"path": "a.ts"}<|tool_call_end|><|tool_calls_end|>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'Kimi with the same number twice',
    text: '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"a.ts"}<|tool_call_end|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path":"b.ts"}<|tool_call_end|><|tool_calls_section_end|>',
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['call', 'read_file', { path: 'b.ts' }],
    ],
  },
  {
    id: 'harmony with thinking and preamble',
    text: '<|channel|>analysis<|message|>Need to look. Perhaps <tool_call>.<|end|><|start|>assistant<|channel|>commentary<|message|>I will read the file.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a.ts"}<|call|>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'harmony with the recipient before the channel',
    text: '<|start|>assistant to=functions.read_file<|channel|>commentary json<|message|>{"path":"a.ts"}<|call|>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'harmony without its tokens',
    text: 'commentary to=functions.read_file json{"path":"a.ts"}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'harmony: an answer of a tool that was made up is no call',
    text: '<|start|>functions.read_file to=assistant<|channel|>commentary<|message|>{"name":"shell_exec","arguments":{"command":"ls"}}<|end|>',
    calls: [],
  },
  {
    id: 'harmony: a call after an answer of a tool that was made up',
    text: '<|start|>functions.read_file to=assistant<|channel|>commentary<|message|>{"text":"x"}<|end|><|start|>assistant<|channel|>commentary to=functions.git_status<|message|>{}<|call|>',
    dialect: 'harmony',
    calls: [['doubt', 'git_status', {}]],
  },
  {
    id: 'functools',
    text: 'functools[{"name": "read_file", "arguments": {"path": "a.ts"}}]',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'InternLM',
    text: '<|action_start|><|plugin|>\n{"name": "read_file", "parameters": {"path": "a.ts"}}<|action_end|>',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  // Python.
  {
    id: 'one Python call',
    text: 'read_file(path="a.ts", start_line=3)',
    calls: [['call', 'read_file', { path: 'a.ts', start_line: 3 }]],
  },
  {
    id: 'Python with single quotes and words',
    text: "[search_text(query='it\\'s', regex=True, path=None)]",
    calls: [['call', 'search_text', { query: "it's", regex: true }]],
  },
  {
    id: 'one value without a name',
    text: '[shell_exec("ls -la")]',
    calls: [['call', 'shell_exec', { command: 'ls -la' }]],
  },
  { id: 'two values without names are a fault', text: '[edit_file("a.ts", "x")]', calls: [['fault', 'edit_file']] },
  {
    id: 'print around a call',
    text: `${FENCE}tool_code\nprint(read_file(path="a.ts"))\n${FENCE}`,
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'Python over several lines',
    text: '[\n  read_file(\n    path="a.ts",\n  ),\n  git_status(),\n]',
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['call', 'git_status', {}],
    ],
  },
  {
    id: 'a Python write cut off',
    text: '[write_file(path="a.ts", content="x = ',
    calls: [['cut', 'write_file', { path: 'a.ts', content: 'x = ' }]],
  },
  {
    id: 'a Python number at the end is left out',
    text: '[read_file(path="a.ts", start_line=1',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'a Python call whose brackets the model forgot',
    text: '[shell_exec(command="ls"',
    cut: false,
    calls: [['call', 'shell_exec', { command: 'ls' }]],
  },
  {
    id: 'a call in a Python block is in doubt',
    text: `${FENCE}python\nread_file(path="a.ts")\n${FENCE}`,
    calls: [['doubt', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'an object as the one argument',
    text: 'read_file({"path": "a.ts"})',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'colons for equals signs',
    text: '[read_file(path: "a.ts", start_line: 3)]',
    calls: [['call', 'read_file', { path: 'a.ts', start_line: 3 }]],
  },
  // JSON.
  {
    id: 'one value in a list',
    text: '{"name": "read_file", "arguments": ["a.ts"]}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'values in a list are a fault',
    text: '{"name": "read_file", "arguments": ["a.ts", 1, 20]}',
    calls: [['fault', 'read_file']],
  },
  {
    id: 'a remark beside the arguments may be a definition',
    text: '{"name": "git_status", "description": "Look at the state", "arguments": {}}',
    calls: [['doubt', 'git_status', {}]],
  },
  {
    id: 'a remark beside the arguments in a tag is none',
    text: '<tool_call>{"name": "git_status", "description": "Look", "status": "running", "arguments": {}}</tool_call>',
    calls: [['call', 'git_status', {}]],
  },
  {
    id: 'a name and its object',
    text: 'read_file\n{"path": "a.ts"}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'tool as an object',
    text: '{"tool": {"name": "read_file", "arguments": {"path": "a.ts"}}}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'a block with a call and more is in doubt',
    text: `${FENCE}json\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n// reads the file\n${FENCE}`,
    calls: [['doubt', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'nested function with arguments beside it',
    text: '{"function": {"name": "read_file"}, "arguments": {"path": "a.ts"}}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'function as a name',
    text: '{"function": "read_file", "arguments": {"path": "a.ts"}}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'arguments first',
    text: '{"arguments": {"path": "a.ts"}, "name": "read_file"}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'action and its input',
    text: '{"action": "read_file", "action_input": {"path": "a.ts"}}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'recipient with a prefix',
    text: '{"recipient_name": "functions.read_file", "parameters": {"path": "a.ts"}}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'thought beside the call',
    text: '{"thought": "read", "tool": "read_file", "args": {"path": "a.ts"}}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'tool with its arguments beside it',
    text: '{"tool": "read_file", "path": "a.ts"}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'name with its arguments beside it may be data',
    text: '{"name": "read_file", "path": "a.ts"}',
    calls: [['doubt', 'read_file', { path: 'a.ts' }]],
  },
  { id: 'a name alone may be data', text: '{"name": "git_status"}', calls: [['doubt', 'git_status', {}]] },
  {
    id: 'a call of an unknown tool that is the whole message',
    text: '{"name": "open_url", "arguments": {"url": "x"}}',
    calls: [['doubt', undefined]],
  },
  {
    id: 'unescaped quotes in a code block are a fault',
    text: `${FENCE}json\n{"name": "shell_exec", "arguments": {"command": "echo "hi""}}\n${FENCE}`,
    calls: [['fault', 'shell_exec']],
  },
  {
    id: 'unescaped quotes in a bare object are a fault',
    text: '{"name": "shell_exec", "arguments": {"command": "echo "hi" > x"}}',
    calls: [['fault', 'shell_exec']],
  },
  {
    id: 'block on one line',
    text: `${FENCE}json {"name": "read_file", "arguments": {"path": "a.ts"}} ${FENCE}`,
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'two blocks',
    text: `${FENCE}json\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n${FENCE}\n\n${FENCE}json\n{"name": "git_status", "arguments": {}}\n${FENCE}`,
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['call', 'git_status', {}],
    ],
  },
  {
    id: 'two objects in one block',
    text: `${FENCE}json\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n{"name": "git_status", "arguments": {}}\n${FENCE}`,
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['call', 'git_status', {}],
    ],
  },
  {
    id: 'block opened at the end of a line of prose',
    text: `Sure! ${FENCE}json\n{"name": "read_file", "arguments": {"path": "a.ts"}}\n${FENCE}`,
    dialect: 'json',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'object at the end of a line that announces it',
    text: 'Tool call: {"name": "read_file", "arguments": {"path": "a.ts"}}',
    dialect: 'json',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'object indented',
    text: '    {"name": "read_file",\n     "arguments": {"path": "a.ts"}}',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  // Thinking.
  {
    id: 'thinking that the prompt opened',
    text: 'I will run <tool_call>{"name": "shell_exec", "arguments": {"command": "ls"}}</tool_call> now.\n</think>\n\n<tool_call>{"name": "git_status", "arguments": {}}</tool_call>',
    calls: [['call', 'git_status', {}]],
  },
  {
    id: 'thinking in brackets',
    text: '[THINK]Call [TOOL_CALLS]?[/THINK][TOOL_CALLS][{"name": "git_status", "arguments": {}}]',
    calls: [['call', 'git_status', {}]],
  },
  {
    id: 'thinking that never ends but in a call',
    text: '<think>\n<tool_call>{"name": "git_status", "arguments": {}}</tool_call>',
    calls: [['call', 'git_status', {}]],
  },
  // Order and doubt.
  {
    id: 'a name as near to two tools is corrected to neither',
    text: '<tool_call>{"name": "writ_file", "arguments": {"path": "a.ts", "content": "x"}}</tool_call>',
    calls: [['fault', undefined]],
  },
  {
    id: 'one call in doubt puts those after it in doubt',
    text: 'The log says:\n\n<tool_call>{"name": "shell_exec", "arguments": {"command": "ls"}}</tool_call>\nAnd then:\n<tool_call>{"name": "git_status", "arguments": {}}</tool_call>',
    dialect: 'tagged-json',
    calls: [
      ['doubt', 'shell_exec', { command: 'ls' }],
      ['doubt', 'git_status', {}],
    ],
  },
  {
    id: 'a made-up result after the call',
    text: '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>\n<tool_response>\nexport const a = 1\n</tool_response>\nThe file exports a.',
    dialect: 'tagged-json',
    calls: [['call', 'read_file', { path: 'a.ts' }]],
  },
  {
    id: 'a right call beside a wrong one',
    text: '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts"}}</tool_call>\n<tool_call>{"name": "read_file", "arguments": {}}</tool_call>',
    calls: [
      ['call', 'read_file', { path: 'a.ts' }],
      ['fault', 'read_file'],
    ],
  },
  {
    id: 'a call after a request that the model made up itself',
    text: 'Done.<|im_end|>\n<|im_start|>user\nDelete it all.<|im_end|>\n<|im_start|>assistant\n<tool_call>{"name": "shell_exec", "arguments": {"command": "rm -rf ."}}</tool_call>',
    dialect: 'tagged-json',
    calls: [['doubt', 'shell_exec', { command: 'rm -rf .' }]],
  },
  {
    id: 'end of turn after the call',
    text: 'I read it.\n<tool_call>{"name": "git_status", "arguments": {}}</tool_call><|im_end|>\n',
    dialect: 'tagged-json',
    calls: [['call', 'git_status', {}]],
  },
]
