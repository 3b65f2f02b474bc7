"""Tiny tokenizers of each family's kind: the files, and the ids of a sentence with its marks. Python, and SentencePiece for its own.

Sentences are words of Latin letters, digits and ASCII punctuation; what else tokenizers do is not tried here.
"""
import io
import json
import re
import unicodedata
from collections import Counter

import sentencepiece

SENTENCES = """a dog jumps into the water
two dogs run along a beach at sunset
a red cup stands on a wooden table
a girl in a blue dress is holding a yellow ball
three men are playing music in the street
a black cat sleeps on the sofa next to a window
the child looks at a train that leaves the station
people ride bicycles through the old town
ein hund springt ins wasser
zwei katzen sitzen auf einem roten stuhl
eine frau mit einem hut liest ein buch
drei kinder spielen im garten mit einem ball
un chien saute dans l'eau
deux hommes marchent sur la plage
une tasse rouge sur une table en bois
dva psi leží na trávě vedle červeného míče
žena v modrých šatech drží žlutý balón""".split("\n")


def token(content, ident, normalized=False):
    return {"id": ident, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": normalized,
            "special": True}


def tokenizer_json(added, normalizer, pre_tokenizer, post_processor, decoder, model):
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": normalizer,
            "pre_tokenizer": pre_tokenizer, "post_processor": post_processor, "decoder": decoder, "model": model}


def template(before, after, ids):
    marks = lambda names: [{"SpecialToken": {"id": name, "type_id": 0}} for name in names]  # noqa: E731
    single = marks(before) + [{"Sequence": {"id": "A", "type_id": 0}}] + marks(after)
    second = [{"Sequence": {"id": "B", "type_id": 1}}] + [{"SpecialToken": {"id": name, "type_id": 1}} for name in after]
    return {"type": "TemplateProcessing", "single": single, "pair": single + second,
            "special_tokens": {name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in before + after}}


class Tokenizer:
    """`files`: name to text, bytes or what JSON is made of; `begin` and `end`: ids before and behind; `size`: rows of the embeddings."""

    def ids(self, sentence, most):
        return self.begin + self.pieces(sentence)[:most - len(self.begin) - len(self.end)] + self.end


def join(symbols, pair):
    out = []
    for symbol in symbols:
        if out and (out[-1], symbol) == pair:
            out[-1] += symbol  # a pair of the same symbols cannot match again: what it became is longer
        else:
            out.append(symbol)
    return out


def merge(symbols, ranks):
    """Joins the pair of the lowest rank until none has one."""
    while len(symbols) > 1:
        best = min(zip(symbols, symbols[1:]), key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        symbols = join(symbols, best)
    return symbols


class ClipBpe(Tokenizer):
    """CLIP's byte-level BPE; `behind`: tokens that were added behind the end mark."""
    PATTERN = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d|[^\W\d_]+|\d|[^\s\w]+|_+")
    MERGES = 48

    def __init__(self, positions, merges=None, behind=(), tables=True):
        shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
        characters = dict(zip(shown, map(chr, shown)))
        for byte in range(256):
            characters.setdefault(byte, chr(256 + len(characters) - len(shown)))
        self.characters = characters
        merges = self.trained() if merges is None else merges
        self.ranks = {pair: i for i, pair in enumerate(merges)}
        pieces = list(characters.values())
        pieces += [piece + "</w>" for piece in pieces] + ["".join(pair) for pair in merges]
        pieces += ["<|startoftext|>", "<|endoftext|>", *behind]
        self.vocabulary = {piece: i for i, piece in enumerate(pieces)}
        self.size = len(pieces)
        self.begin, self.end = [self.vocabulary["<|startoftext|>"]], [self.vocabulary["<|endoftext|>"]]
        self.padding = self.end[0]
        specials = ["<|startoftext|>", "<|endoftext|>", *behind]
        self.files = {
            "vocab.json": {piece: i for piece, i in self.vocabulary.items() if piece not in behind},
            "merges.txt": "#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in merges),
            "special_tokens_map.json": {"bos_token": specials[0], "eos_token": specials[1], "pad_token": specials[1],
                                        "unk_token": specials[1]},
            "tokenizer_config.json": {"add_prefix_space": False, "bos_token": specials[0], "do_lower_case": True,
                                      "eos_token": specials[1], "errors": "replace", "model_max_length": positions,
                                      "pad_token": specials[1], "tokenizer_class": "CLIPTokenizer", "unk_token": specials[1]},
        }
        if behind:
            self.files["added_tokens.json"] = {piece: self.vocabulary[piece] for piece in behind}
        if not tables:
            return
        normalizers = [{"type": "NFC"}, {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}, {"type": "Lowercase"}]
        split = {"type": "Split", "pattern": {"Regex": r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"},
                 "behavior": "Removed", "invert": True}
        self.files["tokenizer.json"] = tokenizer_json(
            [token(piece, self.vocabulary[piece], normalized=piece in specials[:2]) for piece in specials],
            {"type": "Sequence", "normalizers": normalizers},
            {"type": "Sequence", "pretokenizers": [split, {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True,
                                                           "use_regex": True}]},
            {"type": "RobertaProcessing", "sep": [specials[1], self.end[0]], "cls": [specials[0], self.begin[0]],
             "trim_offsets": False, "add_prefix_space": False},
            {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
            {"type": "BPE", "dropout": None, "unk_token": specials[1], "continuing_subword_prefix": "", "end_of_word_suffix": "</w>",
             "fuse_unk": False, "vocab": self.files["vocab.json"], "merges": [f"{a} {b}" for a, b in merges]})

    def word(self, text):
        symbols = [self.characters[byte] for byte in text.encode()]
        return symbols[:-1] + [symbols[-1] + "</w>"]

    def trained(self):
        words = [self.word(word) for sentence in SENTENCES for word in self.PATTERN.findall(sentence)]
        merges = []
        while len(merges) < self.MERGES:
            pairs = Counter(pair for word in words for pair in zip(word, word[1:]))
            best = min(pairs, key=lambda pair: (-pairs[pair], pair))
            merges.append(best)
            words = [join(word, best) for word in words]
        return merges

    def pieces(self, sentence):
        ids = []
        for word in self.PATTERN.findall(unicodedata.normalize("NFC", sentence).lower()):
            ids += [self.vocabulary[symbol] for symbol in merge(self.word(word), self.ranks)]
        return ids


def trained_pieces(**options):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(SENTENCES * 4), model_writer=model, num_threads=1,
                                             minloglevel=2, normalization_rule_name="identity", **options)
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pieces = [(processor.id_to_piece(i), round(processor.get_score(i), 6)) for i in range(processor.get_piece_size())]
    return model.getvalue(), processor, pieces


METASPACE = {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True, "prepend_scheme": "always"}


class T5Unigram(Tokenizer):
    """SigLIP's: lower case, no punctuation, </s> behind, which is the padding too."""
    PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

    def __init__(self, positions):
        model, self.processor, pieces = trained_pieces(model_type="unigram", vocab_size=120, pad_id=0, eos_id=1, unk_id=2, bos_id=-1,
                                                       pad_piece="<pad>")
        self.size, self.begin, self.end, self.padding = len(pieces), [], [1], 1
        normalizers = [{"type": "Lowercase"},
                       {"type": "Replace", "pattern": {"Regex": r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]\^_`{|}~]"}, "content": ""},
                       {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
                       {"type": "Strip", "strip_left": True, "strip_right": True}]
        self.files = {
            "spiece.model": model,
            "special_tokens_map.json": {"eos_token": "</s>", "pad_token": "</s>", "unk_token": "<unk>"},
            "tokenizer_config.json": {"additional_special_tokens": [], "clean_up_tokenization_spaces": True, "do_lower_case": True,
                                      "eos_token": "</s>", "model_input_names": ["input_ids"], "model_max_length": positions,
                                      "pad_token": "</s>", "processor_class": "SiglipProcessor", "sp_model_kwargs": {},
                                      "tokenizer_class": "SiglipTokenizer", "unk_token": "<unk>"},
            "tokenizer.json": tokenizer_json(
                [token("</s>", 1), token("<unk>", 2)], {"type": "Sequence", "normalizers": normalizers}, METASPACE,
                template([], ["</s>"], {"</s>": 1}), METASPACE,
                {"type": "Unigram", "unk_id": 2, "vocab": pieces, "byte_fallback": False}),
        }

    def pieces(self, sentence):
        plain = sentence.lower().translate(str.maketrans("", "", self.PUNCTUATION))
        return self.processor.encode(" ".join(plain.split()))


class GemmaBpe(Tokenizer):
    """SigLIP 2's: SentencePiece's BPE with bytes, no space put in front, <eos> behind, padded with <pad>. Ask it in lower case."""

    def __init__(self, positions, pieces=None):
        model, self.processor, trained = trained_pieces(
            model_type="bpe", vocab_size=400, byte_fallback=True, add_dummy_prefix=False, remove_extra_whitespaces=False, pad_id=0,
            eos_id=1, bos_id=2, unk_id=3, pad_piece="<pad>", eos_piece="<eos>", bos_piece="<bos>", unk_piece="<unk>",
            user_defined_symbols=["<mask>"])
        names = [piece for piece, _ in trained] if pieces is None else pieces
        vocabulary = {piece: i for i, piece in enumerate(names)}
        self.size, self.begin, self.end, self.padding = len(names), [], [1], 0
        merges = []
        for piece in names:
            parts = [(piece[:i], piece[i:]) for i in range(1, len(piece)) if piece[:i] in vocabulary and piece[i:] in vocabulary]
            if not piece.startswith("<"):
                merges += sorted(parts, key=lambda pair: (vocabulary[pair[0]], vocabulary[pair[1]]))
        # SentencePiece knows its own pieces only.
        self.vocabulary, self.ranks = vocabulary, None if pieces is None else {pair: i for i, pair in enumerate(merges)}
        names = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"]
        self.files = {
            "tokenizer.model": model,
            "special_tokens_map.json": {"bos_token": "<bos>", "eos_token": "<eos>", "pad_token": "<pad>", "unk_token": "<unk>"},
            "tokenizer_config.json": {"add_bos_token": False, "add_eos_token": True, "bos_token": "<bos>",
                                      "clean_up_tokenization_spaces": False, "eos_token": "<eos>",
                                      "model_max_length": positions, "pad_token": "<pad>", "padding_side": "right",
                                      "processor_class": "SiglipProcessor", "spaces_between_special_tokens": False,
                                      "tokenizer_class": "GemmaTokenizer", "unk_token": "<unk>", "use_default_system_prompt": False},
            "tokenizer.json": tokenizer_json(
                [token(name, vocabulary[name]) for name in names], {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
                {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False},
                template([], ["<eos>"], {"<eos>": 1}),
                {"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                                                  {"type": "ByteFallback"}, {"type": "Fuse"}]},
                {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None, "end_of_word_suffix": None,
                 "fuse_unk": True, "byte_fallback": True, "ignore_merges": False, "vocab": vocabulary,
                 "merges": [f"{a} {b}" for a, b in merges]}),
        }

    def pieces(self, sentence):
        if self.ranks is None:
            return self.processor.encode(sentence)
        symbols = [symbol for letter in sentence.replace(" ", "▁") for symbol in self.letter(letter)]
        return [self.vocabulary[symbol] for symbol in merge(symbols, self.ranks)]

    def letter(self, letter):
        return [letter] if letter in self.vocabulary else [f"<0x{byte:02X}>" for byte in letter.encode()]


class XlmRUnigram(Tokenizer):
    """XLM-R's: the pieces of SentencePiece moved by one, behind four marks of fairseq's order; <mask> last."""

    def __init__(self, positions):
        model, self.processor, pieces = trained_pieces(model_type="unigram", vocab_size=120)
        pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), *pieces[3:], ("<mask>", 0.0)]
        self.size, self.begin, self.end, self.padding = len(pieces), [0], [2], 1
        marks = {"bos_token": "<s>", "cls_token": "<s>", "eos_token": "</s>", "mask_token": "<mask>", "pad_token": "<pad>",
                 "sep_token": "</s>", "unk_token": "<unk>"}
        self.files = {
            "sentencepiece.bpe.model": model,
            "special_tokens_map.json": marks,
            "tokenizer_config.json": {**marks, "model_max_length": positions, "tokenizer_class": "XLMRobertaTokenizer"},
            "tokenizer.json": tokenizer_json(
                [token(name, i) for i, (name, _) in enumerate(pieces) if i < 4 or i == len(pieces) - 1], None,
                {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, METASPACE]},
                template(["<s>"], ["</s>"], {"<s>": 0, "</s>": 2}), METASPACE, {"type": "Unigram", "unk_id": 3, "vocab": pieces}),
        }

    def pieces(self, sentence):
        return [i + 1 if i else 3 for i in self.processor.encode(sentence)]


class WordPiece(Tokenizer):
    """BERT's, cased or not."""

    def __init__(self, positions, lower_case, tokenizer_class):
        self.lower_case = lower_case
        marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        words = Counter(word for sentence in SENTENCES for word in self.words(sentence))
        letters = sorted({letter for word in words for letter in word} | set("ADEINTZ!,.'0123456789") - set("ADEINTZ" if lower_case else ""))
        whole = sorted(word for word, count in words.items() if count > 1 and len(word) > 1)
        pieces = marks + letters + ["##" + letter for letter in letters if letter.isalpha()] + whole + ["##s", "##en", "##ing"]
        pieces = list(dict.fromkeys(pieces))
        self.vocabulary = {piece: i for i, piece in enumerate(pieces)}
        self.size, self.begin, self.end, self.padding = len(pieces), [2], [3], 0
        names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), marks))
        self.files = {
            "vocab.txt": "".join(piece + "\n" for piece in pieces),
            "special_tokens_map.json": names,
            "tokenizer_config.json": {**names, "do_basic_tokenize": True, "do_lower_case": lower_case, "model_max_length": positions,
                                      "strip_accents": None, "tokenize_chinese_chars": True, "tokenizer_class": tokenizer_class},
            "tokenizer.json": tokenizer_json(
                [token(mark, i) for i, mark in enumerate(marks)],
                {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                 "lowercase": lower_case},
                {"type": "BertPreTokenizer"}, template(["[CLS]"], ["[SEP]"], {"[CLS]": 2, "[SEP]": 3}),
                {"type": "WordPiece", "prefix": "##", "cleanup": True},
                {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
                 "vocab": self.vocabulary}),
        }

    def words(self, sentence):
        if self.lower_case:  # without accents, then
            decomposed = unicodedata.normalize("NFD", sentence.lower())
            sentence = "".join(letter for letter in decomposed if unicodedata.category(letter) != "Mn")
        return re.findall(r"\w+|[^\w\s]", sentence)

    def pieces(self, sentence):
        ids = []
        for word in self.words(sentence):
            found, begin = [], 0
            while begin < len(word) and found is not None:
                ends = [end for end in range(len(word), begin, -1) if ("##" if begin else "") + word[begin:end] in self.vocabulary]
                if ends:
                    found.append(self.vocabulary[("##" if begin else "") + word[begin:ends[0]]])
                    begin = ends[0]
                else:
                    found = None
            ids += [1] if found is None else found
        return ids


def write_files(folder, files):
    for name, content in files.items():
        if isinstance(content, bytes):
            (folder / name).write_bytes(content)
        elif isinstance(content, str):
            (folder / name).write_text(content, encoding="utf-8")
        elif name in ("tokenizer.json", "vocab.json"):
            (folder / name).write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
        else:
            (folder / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
