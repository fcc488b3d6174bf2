interface Request {
  readonly url: string;
  readonly body: string;
}

const indent = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

/** The same request for a shell; an apostrophe would end its string. */
export const curlOf = ({ url, body }: Request) => `curl ${url} \\
  -H "X-API-Key: $PARLEY_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${indent(body.replaceAll("'", String.raw`'\''`), '  ')}'`;

export const typescriptOf = ({ url, body }: Request) => `const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    'X-API-Key': process.env.PARLEY_API_KEY ?? '',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indent(body, '  ')}),
});
const { success, data, error } = await response.json();
if (!success) throw new Error(\`\${error.code}: \${error.message}\`);`;

export const pythonOf = ({ url, body }: Request) => `import json
import os
import urllib.request

message = json.loads(r"""${body}""")

request = urllib.request.Request(
    "${url}",
    data=json.dumps(message).encode(),
    headers={
        "X-API-Key": os.environ["PARLEY_API_KEY"],
        "Content-Type": "application/json",
    },
)
print(json.load(urllib.request.urlopen(request)))`;
