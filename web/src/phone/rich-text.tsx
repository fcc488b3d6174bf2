import type { ReactNode } from 'react';

/** Variables are between the marks of filled-text.ts. */
const rules =
  /(?<mono>```[^`]+```)|(?<bold>\*[^*\n]+\*)|(?<italic>(?<!\w)_[^_\n]+_(?!\w))|(?<struck>~[^~\n]+~)|(?<link>https?:\/\/[^\s\uE000-\uE003]+)|(?<filled>\uE000[^\uE000\uE001]*\uE001)|(?<missing>\uE002[^\uE002\uE003]*\uE003)/g;

/** A text as WhatsApp shows it: bold, italic, struck, mono, links, and a template's variables. */
export function RichText({ text }: { text: string }): ReactNode {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(rules)) {
    const [whole] = match;
    pieces.push(text.slice(end, match.index), <Piece key={match.index} match={match} />);
    end = match.index + whole.length;
  }
  return [...pieces, text.slice(end)];
}

function Piece({ match }: { match: RegExpMatchArray }) {
  const [whole] = match;
  const { mono, link, filled, missing, bold, italic } = match.groups ?? {};
  const inner = whole.slice(1, -1);
  if (mono) return <code>{whole.slice(3, -3)}</code>;
  if (link) return <span className="bubble-link">{whole}</span>;
  if (missing) return <mark data-missing="true">{inner}</mark>;
  if (filled) return <mark>{inner}</mark>;
  const text = <RichText text={inner} />;
  if (bold) return <b>{text}</b>;
  return italic ? <em>{text}</em> : <s>{text}</s>;
}

/** The same text without formatting, for one line. */
export const plainText = (text: string) =>
  text.replaceAll(/```|[*~\uE000-\uE003]|(?<!\w)_|_(?!\w)/g, '');
