import { freeFormType } from '../../free-form/free-form-type.js';
import { filesIn } from '../../uploads/uploaded-files.js';
import { headerContent } from '../header-content.js';
import { CtaUrlMessageDto, type UrlButtonDto } from './cta-url-message.dto.js';

/** A button that opens a page. */
export const ctaUrlType = freeFormType<CtaUrlMessageDto>({
  type: 'cta_url',
  path: 'interactive/cta-url',
  permission: 'send_text',
  summary: 'Sends a message with a button that opens a page.',
  dto: CtaUrlMessageDto,
  files: ({ header }) => filesIn({ header }),
  content: ({ header, body, footer, button }) => ({
    type: 'interactive',
    interactive: {
      type: 'cta_url',
      ...(header && { header: headerContent(header) }),
      body: { text: body },
      ...(footer && { footer: { text: footer } }),
      action: urlAction(button),
    },
  }),
});

/** What WhatsApp makes such a button of. */
export function urlAction({ text, url }: UrlButtonDto): object {
  return { name: 'cta_url', parameters: { display_text: text, url } };
}
