import type { ShownButton, ShownList } from '../phone/shown-message.ts';
import type { Said } from './use-say.ts';

/** What is open on the phone; `to` is the message that it answers, if it answers one. */
export type OpenSheet =
  | { readonly kind: 'list'; readonly to: string; readonly list: ShownList }
  | { readonly kind: 'flow'; readonly to: string; readonly title: string }
  | { readonly kind: 'location'; readonly to: string | null }
  | { readonly kind: 'contact' }
  | { readonly kind: 'ad' }
  | { readonly kind: 'echo' }
  /** `isEcho`: the business edits what it wrote in its app. */
  | { readonly kind: 'edit'; readonly id: string; readonly text: string; readonly isEcho: boolean };

/** What a tap of a button does: it opens a form, or it answers at once. @param name how the user calls themselves */
export function tapOf(
  { kind, id, title }: ShownButton,
  to: string,
  own: { readonly name: string; readonly phone: string },
): { readonly open: OpenSheet } | { readonly say: Said } {
  if (kind === 'flow') return { open: { kind, to, title } };
  if (kind === 'location') return { open: { kind, to } };
  return { say: { to, body: kind === 'contact' ? { contact: own } : { button_id: id } } };
}
