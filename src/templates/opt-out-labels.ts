import { keywordOf } from '../accounts/keywords.js';

/** Verbs and what they are about, in one language. */
interface Wording {
  readonly stop: readonly string[];
  readonly promotions: readonly string[];
}

/**
 * How Meta labels the button that its editor adds to a marketing template for opting out. The label is in the
 * template's language, and nothing else in the template marks it: it is a quick reply like any other. Meta publishes
 * no list of them. Known from templates in public are "Stop promotions", "Parar promoções", "Detener promociones",
 * "Interrompi promozioni" and "Promoties stoppen"; in tests of other projects there are "إيقاف العروض الترويجية" and
 * "Остановить рекламу". All are one verb and one noun. So for each language there is what can mean either, and a label
 * counts if it is one of each and nothing else: that says the same, whichever words Meta took.
 */
const wordings: Readonly<Record<string, Wording>> = {
  en: {
    stop: ['stop', 'end', 'unsubscribe from', 'opt out of'],
    promotions: ['promotions', 'promos', 'promotional messages', 'marketing messages', 'marketing'],
  },
  ar: {
    stop: ['إيقاف', 'أوقف', 'وقف'],
    promotions: ['العروض الترويجية', 'العروض', 'الرسائل الترويجية', 'الإعلانات'],
  },
  bn: { stop: ['বন্ধ করুন', 'থামান'], promotions: ['প্রচার', 'প্রোমোশন', 'প্রমোশন', 'অফার'] },
  de: {
    stop: ['stoppen', 'beenden', 'abbestellen'],
    promotions: [
      'Werbung',
      'Werbeaktionen',
      'Promotions',
      'Aktionen',
      'Angebote',
      'Werbenachrichten',
    ],
  },
  es: {
    stop: ['detener', 'parar', 'cancelar', 'dejar de recibir'],
    promotions: ['promociones', 'las promociones'],
  },
  fr: {
    stop: ['arrêter', 'arrêtez', 'stopper', 'stop', 'interrompre', 'désactiver'],
    promotions: ['promotions', 'les promotions', 'promos', 'les promos'],
  },
  he: {
    stop: ['הפסקת', 'הפסק', 'להפסיק', 'עצירת'],
    promotions: ['מבצעים', 'קידומי מכירות', 'פרסומות'],
  },
  hi: {
    stop: ['रोकें', 'बंद करें'],
    promotions: ['प्रमोशन', 'प्रोमोशन', 'प्रमोशंस', 'प्रचार', 'ऑफ़र', 'प्रचार संदेश'],
  },
  id: { stop: ['hentikan', 'berhenti', 'setop', 'stop'], promotions: ['promosi', 'promo'] },
  it: {
    stop: ['interrompi', 'ferma', 'blocca', 'stop'],
    promotions: ['promozioni', 'le promozioni', 'offerte promozionali'],
  },
  ja: {
    stop: ['停止', 'を停止', 'の停止', 'を停止する', 'の受信を停止', 'の配信を停止', 'をやめる'],
    promotions: ['プロモーション', '宣伝', '広告'],
  },
  ko: {
    stop: ['중지', '중단', '중지하기', '그만 받기', '수신 거부'],
    promotions: ['프로모션', '광고', '홍보', '프로모션 메시지'],
  },
  ms: { stop: ['hentikan', 'berhenti'], promotions: ['promosi'] },
  nl: {
    stop: ['stoppen', 'stopzetten', 'stop'],
    promotions: ['promoties', 'aanbiedingen', 'reclame'],
  },
  pl: {
    stop: ['zatrzymaj', 'wstrzymaj', 'wyłącz', 'zakończ'],
    promotions: ['promocje', 'wiadomości promocyjne', 'reklamy'],
  },
  pt: {
    stop: ['parar', 'pare', 'interromper', 'cancelar', 'parar de receber'],
    promotions: ['promoções', 'as promoções'],
  },
  ru: {
    stop: ['остановить', 'отключить', 'прекратить'],
    promotions: ['рекламу', 'акции', 'рассылку', 'промоакции', 'рекламные сообщения'],
  },
  th: {
    stop: ['หยุด', 'หยุดรับ'],
    promotions: ['โปรโมชัน', 'โปรโมชั่น', 'การส่งเสริมการขาย', 'ข้อความโปรโมท'],
  },
  tr: {
    stop: ['durdur', 'durdurun', 'sonlandır'],
    promotions: ['promosyonları', 'promosyonlar', 'kampanyaları', 'reklamları', 'tanıtımları'],
  },
  ur: { stop: ['روکیں', 'بند کریں'], promotions: ['پروموشنز', 'پروموشن', 'تشہیر'] },
  vi: {
    stop: ['dừng', 'ngừng', 'tắt', 'ngừng nhận'],
    promotions: ['khuyến mãi', 'khuyến mại', 'quảng cáo', 'chương trình khuyến mãi'],
  },
  zh: {
    stop: ['停止', '停止接收', '取消', '拒收'],
    promotions: [
      '促销',
      '推广',
      '宣传',
      '促销信息',
      '推广信息',
      '促銷',
      '推廣',
      '宣傳',
      '促銷訊息',
    ],
  },
};

const labels = new Set(
  Object.values(wordings).flatMap(({ stop, promotions }) =>
    stop.flatMap((verb) => promotions.flatMap((noun) => [verb + noun, noun + verb].map(compact))),
  ),
);

/** Whether a button with this label is Meta's own for opting out of marketing. */
export function isOptOutLabel(label: string): boolean {
  const word = compact(label);
  return word !== null && labels.has(word);
}

/** As keywords are compared, and without blanks: some languages have none between words. */
function compact(text: string): string | null {
  return keywordOf(text)?.replaceAll(' ', '') ?? null;
}
