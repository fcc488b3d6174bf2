export type Language = 'json' | 'shell' | 'typescript' | 'python';

interface Token {
  readonly kind: 'key' | 'string' | 'number' | 'word' | null;
  readonly text: string;
  readonly at: number;
}

/** A string may lack its end; searching for one would take quadratic time. */
const rules: Readonly<Record<Language, RegExp>> = {
  json: /(?<string>"(?:[^"\\\n]|\\.)*"?)(?<colon>\s*:)?|(?<number>-?\b\d[\d.eE+-]*|\btrue\b|\bfalse\b|\bnull\b)/g,
  shell: /(?<string>'[^']*')|(?<key>(?<=\s)-\w+\b)|(?<word>^curl\b)/gm,
  typescript:
    /(?<string>'(?:[^'\\\n]|\\.)*'?|"(?:[^"\\\n]|\\.)*"?|`[^`]*`?)|(?<word>\b(?:const|await|import|from|if|throw|new)\b)|(?<number>\b\d+\b)/g,
  python:
    /(?<string>'(?:[^'\\\n]|\\.)*'?|"(?:[^"\\\n]|\\.)*"?)|(?<word>\b(?:import|from|print|True|False|None)\b)|(?<number>\b\d+\b)/g,
};

/** The text in pieces of one colour. */
export function tokensOf(code: string, language: Language): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of code.matchAll(rules[language])) {
    if (match.index > end) tokens.push({ kind: null, text: code.slice(end, match.index), at: end });
    end = match.index + match[0].length;
    const { string = '', colon = '' } = match.groups ?? {};
    if (colon !== '') {
      tokens.push({ kind: 'key', text: string, at: match.index });
      tokens.push({ kind: null, text: colon, at: match.index + string.length });
      continue;
    }
    const kind = (['key', 'string', 'number', 'word'] as const).find(
      (each) => match.groups?.[each],
    );
    tokens.push({ kind: kind ?? null, text: match[0], at: match.index });
  }
  tokens.push({ kind: null, text: code.slice(end), at: end });
  return tokens;
}
