import {
  IconFileTypePdf,
  IconMapPinFilled,
  IconMicrophone,
  IconPhoto,
  IconPlayerPlayFilled,
  IconSticker,
} from '@tabler/icons-react';
import type { ShownHeader } from './shown-message.ts';

const mediaIcons = { image: IconPhoto, video: IconPlayerPlayFilled, sticker: IconSticker } as const;

/** Our id of an upload, or WhatsApp's. */
const uploadForm = /^[\dA-Fa-f-]{6,}$/;

/** The policy of the page fetches nothing from other hosts: a plate says what would be there. */
export function MediaHeader({ header }: { header: Exclude<ShownHeader, { kind: 'text' }> }) {
  if (header.kind === 'location') {
    return (
      <div className="bubble-media" data-kind="location">
        <IconMapPinFilled size={34} aria-hidden="true" />
        <small className="cut">{header.spot || 'a place'}</small>
      </div>
    );
  }
  const { kind, link } = header;
  const url = URL.canParse(link) ? new URL(link) : null;
  const source = url?.host ?? (uploadForm.test(link) ? 'an uploaded file' : 'no link yet');
  const file = header.filename || url?.pathname.split('/').at(-1) || '';
  if (kind === 'document') {
    return (
      <div className="bubble-document row">
        <IconFileTypePdf size={28} stroke={1.5} aria-hidden="true" />
        <span>
          <span className="cut">{file || 'Document'}</span>
          <small>{source}</small>
        </span>
      </div>
    );
  }
  if (kind === 'audio') {
    return (
      <div className="bubble-document row">
        <IconMicrophone size={24} stroke={1.65} aria-hidden="true" />
        <span>
          <span className="cut">{file || 'Audio'}</span>
          <small>{source}</small>
        </span>
      </div>
    );
  }
  const Sign = mediaIcons[kind];
  return (
    <div className="bubble-media" data-kind={kind}>
      <Sign size={28} stroke={1.5} aria-hidden="true" />
      <small className="cut">{source}</small>
      {file && <small className="cut">{file}</small>}
    </div>
  );
}
