import { Checkbox, SegmentedControl } from '@mantine/core';
import { type FormProps, PayloadField, RecipientField } from './payload-field.tsx';
import { changed, type Payload, textAt, valueAt } from './payloads.ts';

/** The form of a text. */
export function TextFields({ form }: { form: FormProps }) {
  return (
    <>
      <div className="fields">
        <RecipientField form={form} />
        <PayloadField form={form} path={['body']} label="Body" isLong />
        <Checkbox
          label="Preview of the first link"
          checked={valueAt(form.payload, ['preview_url']) === true}
          onChange={(event) =>
            form.onChange(
              changed(
                form.type,
                form.payload,
                ['preview_url'],
                event.currentTarget.checked || undefined,
              ),
            )
          }
        />
      </div>
      <Correlation form={form} />
    </>
  );
}

const mediaKinds = [
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'audio', label: 'Audio' },
  { value: 'document', label: 'File' },
  { value: 'sticker', label: 'Sticker' },
];

/** The form of a picture, a film, a recording, a document or a sticker. */
export function MediaFields({ form }: { form: FormProps }) {
  const kind = textAt(form.payload, ['type']);
  const choose = (next: string) => form.onChange(withoutForeign(form.payload, next));
  return (
    <>
      <div className="fields">
        <RecipientField form={form} />
        <div>
          <div className="field-name">Kind</div>
          <SegmentedControl
            aria-label="Kind of media"
            fullWidth
            size="xs"
            data={mediaKinds}
            value={kind}
            onChange={choose}
          />
          {form.faults.type && <div className="small wrong">{form.faults.type}</div>}
        </div>
        <PayloadField
          form={form}
          path={['link']}
          label="Link"
          placeholder="https://"
          description="WhatsApp fetches it from there."
        />
        {kind === 'document' && (
          <PayloadField form={form} path={['filename']} label="File name" isOptional />
        )}
        {kind !== 'audio' && kind !== 'sticker' && (
          <PayloadField form={form} path={['caption']} label="Caption" isOptional isLong />
        )}
      </div>
      <Correlation form={form} />
    </>
  );
}

/** The payload as another kind of media, without what that kind does not have. */
function withoutForeign(payload: Payload, kind: string): Payload {
  const isCaptioned = kind !== 'audio' && kind !== 'sticker';
  const foreign = [
    ...(isCaptioned ? [] : ['caption']),
    ...(kind === 'document' ? [] : ['filename']),
  ];
  return foreign.reduce(
    (next, name) => changed('media', next, [name], undefined),
    changed('media', payload, ['type'], kind),
  );
}

function Correlation({ form }: { form: FormProps }) {
  return (
    <div className="fields">
      <PayloadField
        form={form}
        path={['reply_to']}
        label="Reply to"
        isOptional
        placeholder="Your message id, or WhatsApp’s id"
      />
      <PayloadField form={form} path={['reference']} label="Reference" isOptional />
    </div>
  );
}
