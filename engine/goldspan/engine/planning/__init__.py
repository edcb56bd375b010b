"""Planning: how many tasks and annotators a study needs, from a pilot round."""

from goldspan.engine.planning.annotators import AnnotatorPart, annotator_part, thinned
from goldspan.engine.planning.outlook import Outlook, outlooks
from goldspan.engine.planning.pilot import Pilot, Target, pilot_of
from goldspan.engine.planning.plan import FigurePlan, StudyPlan, plan, plan_figure

__all__ = [
    "AnnotatorPart",
    "FigurePlan",
    "Outlook",
    "Pilot",
    "StudyPlan",
    "Target",
    "annotator_part",
    "outlooks",
    "pilot_of",
    "plan",
    "plan_figure",
    "thinned",
]
