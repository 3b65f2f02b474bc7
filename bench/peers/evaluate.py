"""VSE++'s evaluation: 1,000 images and 5,000 captions encoded in batches of 128, ranked both ways.

Image -> text and text -> image ranks as the public code finds them, a row of scores at a time.
Prints seconds. bench/steps.cc is our side, with the same shapes, lengths and words.
"""

import workload

IMAGES, SENTENCES, VOCABULARY, BATCH = 1000, 5, 11000, 128

options = workload.parse_options(__doc__)

import numpy
import torch
import vse

torch.set_num_threads(options.threads)
torch.manual_seed(workload.SEED)


def ranks(images, captions):
    image_ranks, caption_ranks = numpy.zeros(IMAGES), numpy.zeros(IMAGES * SENTENCES)
    for row in range(IMAGES):
        order = numpy.argsort(images[row] @ captions.T)[::-1]
        own = range(SENTENCES * row, SENTENCES * (row + 1))
        image_ranks[row] = min(numpy.where(order == caption)[0][0] for caption in own)
        scores = captions[list(own)] @ images.T
        for i, caption in enumerate(own):
            caption_ranks[caption] = numpy.where(numpy.argsort(scores[i])[::-1] == row)[0][0]
    return image_ranks, caption_ranks


def main():
    lengths = torch.tensor(workload.caption_lengths(IMAGES * SENTENCES))
    ids = workload.padded_words(lengths.tolist())
    features = torch.randn(IMAGES, 2048)
    model = vse.Model(VOCABULARY).eval()

    def evaluate():
        with torch.no_grad():
            images = torch.cat([model.images(part) for part in features.split(BATCH)]).numpy()
            captions = torch.cat([
                model.captions(ids[first:first + BATCH], lengths[first:first + BATCH])
                for first in range(0, len(ids), BATCH)]).numpy()
        ranks(images, captions)

    times = sorted(workload.timed(evaluate) for _ in range(3))
    workload.report(options, "evaluate", times[1], "s", tokens=int(lengths.sum()))


main()
